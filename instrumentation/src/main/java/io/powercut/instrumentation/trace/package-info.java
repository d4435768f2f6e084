/**
 * Reading the recorder's traces: {@link io.powercut.instrumentation.trace.TraceReader} decodes a
 * trace once and hands every record to any number of {@link
 * io.powercut.instrumentation.trace.TraceConsumer}s. The format is described in
 * docs/trace-format.md.
 */
@NullMarked
package io.powercut.instrumentation.trace;

import org.jspecify.annotations.NullMarked;
