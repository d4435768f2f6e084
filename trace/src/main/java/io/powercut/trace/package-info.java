/**
 * Reading the recorder's traces: {@link io.powercut.trace.file.TraceReader} decodes a trace once
 * and hands every record to any number of {@link io.powercut.trace.TraceConsumer}s. The format is
 * described in docs/trace-format.md.
 */
@NullMarked
package io.powercut.trace;

import org.jspecify.annotations.NullMarked;
