/**
 * Contents of files as tables of 4 KiB pages: equal pages are stored once, and a hash names the
 * whole.
 */
@NullMarked
package io.powercut.image.pages;

import org.jspecify.annotations.NullMarked;
