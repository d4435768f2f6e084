// SPDX-License-Identifier: Apache-2.0
package io.powercut.junit;

import io.powercut.api.Outcome;
import io.powercut.api.Powercut;
import java.lang.reflect.Method;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** Runs the campaign of a {@link CrashTest}. */
final class CrashTestExtension implements InvocationInterceptor, ParameterResolver {
  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Outcome.class;
  }

  @Override
  public Outcome resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return run(context.getRequiredTestMethod());
  }

  @Override
  public void interceptTestMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    if (method.getArguments().stream().noneMatch(Outcome.class::isInstance)) {
      run(method.getExecutable()).requireClean();
    }
    invocation.proceed();
  }

  private static Outcome run(Method method) {
    CrashTest test = AnnotationSupport.findAnnotation(method, CrashTest.class).orElseThrow();
    Powercut powercut = Powercut.installed();
    for (String override : test.set()) {
      int equals = override.indexOf('=');
      if (equals < 0) {
        throw new IllegalArgumentException("set: '" + override + "' is not key=value");
      }
      powercut = powercut.set(override.substring(0, equals), override.substring(equals + 1));
    }
    return powercut.run(Path.of(test.value()));
  }
}
