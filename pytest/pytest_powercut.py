# SPDX-License-Identifier: Apache-2.0
"""Crash tests for pytest.

    @pytest.mark.powercut("configs/app.yaml", set={"parameters.operations": 100})
    def test_app_survives_a_power_cut():
        pass

The campaign runs before the test, which fails unless the run is clean: with bugs, each with its replay command, and
when nothing could be tested. A test with the fixture powercut_outcome gets the outcome, and decides itself.
"""
import json
import os
import shutil
import subprocess
from dataclasses import dataclass, field

import pytest


@dataclass(frozen=True)
class Outcome:
    """How a run ended. exit_code: 0 nothing new, 1 new bugs, 2 wrong campaign, 3 not trustworthy, 4 incomplete."""

    exit_code: int
    meaning: str
    findings: list = field(default_factory=list)  # dictionaries: severity, kind, fingerprint, title, place, accepted, fails, replay
    report: str = ""  # report.json; empty if the run ended early

    @property
    def failures(self):
        """What makes the run fail: new bugs, and whatever else failOn names, such as races."""
        return [one for one in self.findings if one["fails"]]

    def describe(self):
        lines = []
        for one in self.failures:
            lines.append("%s %s  %s" % (one["severity"], one["kind"].lower(), one["title"]))
            lines += ["  %s: %s" % (key, one[key]) for key in ("place", "fingerprint", "replay") if one.get(key)]
        lines.append("powercut: %s (exit code %d)" % (self.meaning, self.exit_code))
        if self.report:
            lines.append("report: " + os.path.join(os.path.dirname(self.report), "report.html"))
        return "\n".join(lines)


def run(campaign, set=None):
    """Runs a campaign file; set: keys and values, as --set has them."""
    command = os.environ.get("POWERCUT") or shutil.which("powercut")
    if not command:
        raise FileNotFoundError("powercut is not on the PATH; install its package, or set POWERCUT to the command")
    words = [command, "run", str(campaign), "--json"]
    for key, value in (set or {}).items():
        words += ["--set", "%s=%s" % (key, value)]
    done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    meaning, report, findings = done.stderr.strip(), "", []
    for line in done.stdout.splitlines():
        try:
            event = json.loads(line)
        except ValueError:
            continue
        if event.get("event") == "finding":
            findings.append(event)
        elif event.get("event") == "result":
            meaning = ": ".join(filter(None, (event["meaning"], event.get("reason"))))
            report = event.get("report") or ""
        elif event.get("event") == "error":
            meaning = event["message"]
    return Outcome(done.returncode, meaning, findings, report)


def pytest_configure(config):
    config.addinivalue_line("markers", "powercut(campaign, set={}): the test fails unless the campaign's run is clean")


def _run_marked(item):
    mark = item.get_closest_marker("powercut")
    if mark is None:
        return None
    if len(mark.args) != 1 or mark.kwargs.keys() - {"set"}:
        pytest.fail("powercut takes one campaign file, and set=", pytrace=False)
    return run(item.config.rootpath / mark.args[0], mark.kwargs.get("set"))


@pytest.fixture
def powercut_outcome(request):
    """How the campaign of the test's mark ended."""
    outcome = _run_marked(request.node)
    if outcome is None:
        pytest.fail("powercut_outcome needs @pytest.mark.powercut", pytrace=False)
    return outcome


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call(item):
    if "powercut_outcome" in getattr(item, "fixturenames", ()):
        return
    outcome = _run_marked(item)
    if outcome is not None and outcome.exit_code != 0:
        pytest.fail(outcome.describe(), pytrace=False)
