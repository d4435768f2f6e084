#!/usr/bin/env python3
"""Runs the shell commands of the manifests, as the services would: each part in turn, then the merge.

The run must equal one without parts. What the services themselves do with a manifest is not tested.
"""
# SPDX-License-Identifier: Apache-2.0
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import yaml

HERE = pathlib.Path(__file__).resolve().parent
HOME = HERE.parent.parent
CAMPAIGN = f"""
extends: {HOME}/configs/bugs/bug.yaml
name: app
build: null
parameters: {{program: one-path}}
occurrences: {{share: 0}}
"""


def manifest(name):
    return list(yaml.safe_load_all((HERE / name).read_text()))


def shell(folder, command, **environment):
    """The exit code of a step."""
    path = f"{folder / 'bin'}:{os.environ['PATH']}"
    done = subprocess.run(["/bin/sh", "-c", command], cwd=folder, env={**os.environ, "PATH": path, **environment},
                          capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"{command}\nended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.returncode


def expanded(command, **values):
    for name, value in values.items():
        command = command.replace("${{ " + name.replace("_", ".") + " }}", str(value))
    return command


def kubernetes(folder):
    job = manifest("kubernetes.yaml")[0]["spec"]
    container = job["template"]["spec"]["containers"][0]
    parts = {one["name"]: one["value"] for one in container["env"]}
    for index in range(job["completions"]):
        code = shell(folder, container["args"][0].replace("/work", str(folder)), JOB_COMPLETION_INDEX=str(index), **parts)
        assert code == 0, code
    merge = manifest("kubernetes-merge.yaml")[0]["spec"]["template"]["spec"]["containers"][0]
    return shell(folder, merge["args"][0].replace("/work", str(folder)))


def slurm(folder):
    for index in range(1, 4):
        code = shell(folder, f"sh {HERE}/slurm-part.sh campaign.yaml", SLURM_ARRAY_TASK_ID=str(index),
                     SLURM_ARRAY_TASK_COUNT="3")
        assert code == 0, code
    return shell(folder, f"sh {HERE}/slurm-merge.sh")


def github(folder):
    jobs = manifest("github.yml")[0]["jobs"]
    for part in jobs["part"]["strategy"]["matrix"]["part"]:
        step = next(one["run"] for one in jobs["part"]["steps"] if "run" in one)
        assert shell(folder, expanded(step, matrix_part=part)) == 0
    return shell(folder, next(one["run"] for one in jobs["merge"]["steps"] if "run" in one))


def gitlab(folder):
    jobs = manifest("gitlab.yml")[0]
    count = jobs["part"]["parallel"]
    for index in range(1, count + 1):
        assert shell(folder, jobs["part"]["script"][0], CI_NODE_INDEX=str(index), CI_NODE_TOTAL=str(count)) == 0
    return shell(folder, jobs["merge"]["script"][0])


def findings(folder):
    report = json.loads(next((folder / "powercut-runs/app").glob("2*/report.json")).read_text())
    return sorted((one["fingerprint"], one["count"]) for one in report["findings"])


def prepared(folder):
    (folder / "bin").mkdir(parents=True)
    (folder / "bin/powercut").symlink_to(HOME / "powercut")
    (folder / "powercut").mkdir()
    for name in ("campaign.yaml", "powercut/campaign.yaml"):
        (folder / name).write_text(CAMPAIGN)
    return folder


def main():
    wanted = [kubernetes, slurm, github, gitlab]
    with tempfile.TemporaryDirectory() as root:
        whole = prepared(pathlib.Path(root) / "whole")
        code = shell(whole, "powercut run campaign.yaml")
        expected = findings(whole)
        assert code == 1 and expected, (code, expected)
        failed = 0
        for service in wanted:
            folder = prepared(pathlib.Path(root) / service.__name__)
            same = service(folder) == code and findings(folder) == expected
            failed += not same
            print(("ok      " if same else "FAILED  ") + service.__name__)
            shutil.rmtree(folder)
    print(f"{len(wanted) - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
