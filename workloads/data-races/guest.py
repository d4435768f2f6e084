# SPDX-License-Identifier: Apache-2.0
"""Runs programs in a guest whose processor has protection keys (emulated: no KVM is needed).

Needs Debian's qemu-system-x86, busybox-static and cpio, and a kernel that is downloaded once and only unpacked.
"""
import glob
import os
import re
import shlex
import shutil
import subprocess

SECONDS = 1200
KERNEL = "linux-image-cloud-amd64"
TOOLS = {"qemu-system-x86_64": "qemu-system-x86", "busybox": "busybox-static", "cpio": "cpio"}
INIT = """#!/bin/busybox sh
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t devtmpfs devtmpfs /dev
mkdir -p /tmp /dev/shm
while read -r number program; do
  . /jobs/$number
  timeout 20 "$program" </dev/null >/tmp/output 2>&1
  echo "=== $number $?"
  cat "$POWERCUT_RACES"
  rm -f "$POWERCUT_RACES"
done </jobs/list >/dev/ttyS1
poweroff -f
"""


def missing(directory):
    """Debian's packages without which there is no guest. A kernel is downloaded if there is none."""
    tools = [package for tool, package in TOOLS.items() if shutil.which(tool) is None]
    return tools or ([] if kernel(directory) or download(directory) else [KERNEL])


def kernel(directory):
    """One that is unpacked there, or installed; None = there is none."""
    there = glob.glob(directory + "/boot/vmlinuz-*-amd64") + glob.glob("/boot/vmlinuz-*-amd64")
    return there[0] if there else None


def download(directory):
    """The kernel's package is unpacked only. Returns the kernel; None = it cannot be downloaded."""
    os.makedirs(directory, exist_ok=True)
    depends = subprocess.run(["apt-cache", "depends", KERNEL], capture_output=True, text=True, check=False).stdout
    package = re.search(r"Depends: (\S+)", depends)
    if package is not None:
        subprocess.run(["apt-get", "download", "-qq", package.group(1)], cwd=directory, stderr=subprocess.DEVNULL, check=False)
    for archive in glob.glob(directory + "/*.deb"):
        subprocess.run(["dpkg", "-x", archive, directory], check=True)
        os.remove(archive)
    return kernel(directory)


def copy(path, root):
    target = root + path
    if not os.path.exists(target):
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copy(path, target)


def libraries(program):
    listed = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    return re.findall(r"(/\S+) \(0x", listed)


def run(jobs, directory):
    """Runs (program, environment) pairs, where POWERCUT_RACES is a file; returns an exit code and its text for each."""
    root = os.path.join(directory, "root")
    shutil.rmtree(root, ignore_errors=True)
    os.makedirs(root + "/bin")
    os.makedirs(root + "/jobs")
    for name in ("proc", "dev"):
        os.makedirs(os.path.join(root, name))
    shutil.copy(shutil.which("busybox"), root + "/bin/busybox")
    with open(root + "/init", "w", encoding="utf-8") as init:
        init.write(INIT)
    os.chmod(root + "/init", 0o755)
    with open(root + "/jobs/list", "w", encoding="utf-8") as listed:
        for number, (program, environment) in enumerate(jobs):
            copy(program, root)
            for library in libraries(program):
                copy(library, root)
            listed.write("%d %s\n" % (number, program))
            with open("%s/jobs/%d" % (root, number), "w", encoding="utf-8") as job:
                for name, value in environment.items():
                    job.write("export %s=%s\n" % (name, shlex.quote(value)))
                job.write("mkdir -p %s\n" % shlex.quote(os.path.dirname(environment["POWERCUT_RACES"])))
    image = os.path.join(directory, "initramfs")
    subprocess.run("find . | cpio -o -H newc --quiet >%s" % shlex.quote(image), shell=True, cwd=root, check=True)
    output = os.path.join(directory, "output")
    console = os.path.join(directory, "console")
    with open(console, "wb") as log:
        subprocess.run(["qemu-system-x86_64", "-accel", "tcg", "-cpu", "max", "-smp", "2", "-m", "1024", "-display", "none", "-monitor", "none",
                        "-no-reboot", "-nic", "none", "-kernel", kernel(directory), "-initrd", image,
                        "-append", "console=ttyS0 quiet panic=-1 loglevel=1", "-serial", "stdio", "-serial", "file:" + output],
                       stdin=subprocess.DEVNULL, stdout=log, stderr=log, timeout=SECONDS, check=True)
    with open(output, encoding="utf-8", errors="replace") as text:
        parts = re.split(r"(?m)^=== (\d+) (\d+)\r?\n", text.read().replace("\r\n", "\n"))
    results = {int(number): (int(code), races) for number, code, races in zip(parts[1::3], parts[2::3], parts[3::3])}
    return [results.get(number, (-1, "")) for number in range(len(jobs))]
