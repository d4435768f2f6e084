// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.binding;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A key of the campaign file: a component of a section's record. This is what binds it, and what
 * the schema, the template and the reference say of it.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.FIELD})
public @interface Key {
  /** What it means, in whole sentences. */
  String value();

  /**
   * The default, written as in the file. Empty: there is none, so that an optional value is absent,
   * a list or map is empty, a section has its own defaults, and anything else has to be given.
   */
  String defaultValue() default "";

  /** The default in words, where it is not a constant. The loader supplies it. */
  String defaultNote() default "";

  /** The word that stands for an absent optional value, such as {@code auto}. */
  String absentWord() default "";

  /** The least value, written as in the file. */
  String min() default "";

  /** The greatest value, written as in the file. */
  String max() default "";

  /** What a string, or a list's strings, must match as a whole. */
  String pattern() default "";

  /** What the keys of a map must match as a whole. */
  String namePattern() default "";

  /** A good value, written as in the file; error messages show it. */
  String example() default "";

  /** True if a list of one may be written without the list. */
  boolean single() default false;

  /** The name it had before; files may still use it, with a warning. Empty: none. */
  String formerName() default "";

  /** Which placeholders its strings may have. */
  Scope scope() default Scope.EXECUTION;
}
