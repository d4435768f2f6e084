/**
 * Files and directories of the operating system: sparse files, attributes, copies, comparison,
 * private directories. Knows nothing of crash images.
 */
@NullMarked
package io.powercut.image.files;

import org.jspecify.annotations.NullMarked;
