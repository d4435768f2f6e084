@NullMarked
package io.powercut.campaign.yaml;

import org.jspecify.annotations.NullMarked;
