/**
 * Strings and commands with placeholders such as {@code {pm}}, and what the placeholders stand for.
 */
@NullMarked
package io.powercut.campaign.template;

import org.jspecify.annotations.NullMarked;
