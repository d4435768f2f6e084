/** Manual pages and completion for shells, made from the commands themselves. */
@NullMarked
package io.powercut.orchestrator.cli.manual;

import org.jspecify.annotations.NullMarked;
