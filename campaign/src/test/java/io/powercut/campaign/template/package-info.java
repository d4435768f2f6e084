@NullMarked
package io.powercut.campaign.template;

import org.jspecify.annotations.NullMarked;
