/** What tests of several modules need. */
@org.jspecify.annotations.NullMarked
package io.powercut.testing;
