/**
 * YAML as a tree in which every key and value knows where it was written, also after inheritance
 * and overrides.
 */
@NullMarked
package io.powercut.campaign.yaml;

import org.jspecify.annotations.NullMarked;
