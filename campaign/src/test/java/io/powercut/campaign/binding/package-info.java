@NullMarked
package io.powercut.campaign.binding;

import org.jspecify.annotations.NullMarked;
