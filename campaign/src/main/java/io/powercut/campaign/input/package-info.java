/**
 * Files that others wrote, opened with bounds: only regular files, only so many bytes, only text.
 */
@NullMarked
package io.powercut.campaign.input;

import org.jspecify.annotations.NullMarked;
