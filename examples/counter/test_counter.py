# SPDX-License-Identifier: Apache-2.0
import pytest


@pytest.mark.powercut("counter.yaml")
def test_counter_survives_a_power_cut():
    pass


@pytest.mark.powercut("counter.yaml", set={"parameters.variant": "bug"})
def test_bug_is_found(powercut_outcome):
    assert "was acknowledged" in powercut_outcome.describe() or powercut_outcome.failures
    assert powercut_outcome.exit_code == 1
