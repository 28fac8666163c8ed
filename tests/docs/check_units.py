#!/usr/bin/env python3
"""The systemd units are well formed and keep the exposure that systemd-analyze finds below a bound.

Usage: check_units.py DIRECTORY PROGRAM, where DIRECTORY holds the units and PROGRAM stands in for the installed one.
Exit status 77, with the reason, where systemd-analyze is missing.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

MOST_EXPOSURE = 2.0  # of 10; what stays is the network, which is the service's purpose
UNITS = ("sallyport-proxy.service", "sallyport-proxy.socket")


def analyze(*arguments):
    return subprocess.run(["systemd-analyze", *arguments], capture_output=True, text=True, check=False)


def main(directory, program):
    if shutil.which("systemd-analyze") is None:
        print("skipped: no systemd-analyze")
        return 77
    with tempfile.TemporaryDirectory() as work:
        for unit in UNITS:
            text = (pathlib.Path(directory) / unit).read_text()
            (pathlib.Path(work) / unit).write_text(re.sub(r"(?m)^ExecStart=\S+", "ExecStart=" + program, text))
        files = [f"{work}/{unit}" for unit in UNITS]
        verified = analyze("verify", "--man=no", *files)
        complaints = [line for line in (verified.stdout + verified.stderr).splitlines() if "sallyport" in line]
        exposure = re.search(r"Overall exposure level for \S+: ([\d.]+)", analyze("security", "--offline=true", files[0]).stdout)
    if verified.returncode != 0 or complaints:
        print("systemd-analyze verify:", *complaints, verified.stderr, sep="\n")
        return 1
    if exposure is None or float(exposure[1]) > MOST_EXPOSURE:
        print(f"systemd-analyze security: {exposure[0] if exposure else 'no level'}; at most {MOST_EXPOSURE}")
        return 1
    print(exposure[0])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
