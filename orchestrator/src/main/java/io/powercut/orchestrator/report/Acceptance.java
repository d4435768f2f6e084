package io.powercut.orchestrator.report;

/**
 * A finding that was looked at and is lived with; it does not fail a run.
 *
 * @param reason why, in the words of who accepted it
 * @param date when, as {@code 2026-01-31}
 */
public record Acceptance(String reason, String date) {}
