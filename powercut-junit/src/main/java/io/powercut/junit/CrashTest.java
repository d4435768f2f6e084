// SPDX-License-Identifier: Apache-2.0
package io.powercut.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test that runs a campaign before its method.
 *
 * <p>A method without parameters fails unless the run is clean; the message has each bug with the
 * command that replays it. A method with an {@link io.powercut.api.Outcome} decides itself.
 *
 * <pre>{@code
 * @CrashTest("configs/app.yaml")
 * void appShouldSurviveAPowerCut() {}
 * }</pre>
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Test
@ExtendWith(CrashTestExtension.class)
public @interface CrashTest {
  /** The campaign file; a relative path begins at the working directory of the tests. */
  String value();

  /** Keys that are set, each as {@code key=value}. */
  String[] set() default {};
}
