/**
 * From a located YAML tree to annotated records and back, reporting every mistake with its place
 * and its remedy.
 */
@NullMarked
package io.powercut.campaign.binding;

import org.jspecify.annotations.NullMarked;
