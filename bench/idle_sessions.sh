#!/usr/bin/env bash
# What sessions cost that do nothing: memory of each (supervisor, gateway, init of the jail), with the command's own left out, and whether
# so many stand at once. Prints the time until all stand, and the means.
#
#   idle_sessions.sh SALLYPORT [SESSIONS] [POLICY]        as root, who may look at all of them
set -euo pipefail
sallyport=$(realpath "$1") sessions=${2:-500} policy=${3:-npm}
work=$(mktemp -d)
trap 'kill $(jobs -p) 2> /dev/null || true; wait 2> /dev/null || true; rm -rf "$work"' EXIT
mkdir "$work/ws" && cd "$work/ws"
python3 - "$sallyport" "$sessions" "$policy" "$work" <<'END'
import pathlib, subprocess, sys, time

sallyport, sessions, policy, work = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
began = time.monotonic()
started = []
try:
    for i in range(sessions):
        command = [sallyport, "run", "--policy", policy, "--audit", f"{work}/{i}.jsonl", "--", "sh", "-c", "echo stands; exec sleep 600"]
        started.append(subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL))
        if i % 8 == 7 or i + 1 == sessions:  # not all at the same instant
            for each in started[i - i % 8 :]:
                assert each.stdout.readline() == b"stands\n", "a session ended"
    stood = time.monotonic() - began
    assert all(each.poll() is None for each in started), "a session ended"

    def children(pid):
        return [int(child) for child in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]

    def kilobytes(pid, what):
        text = subprocess.run(["cat", f"/proc/{pid}/smaps_rollup"], capture_output=True, text=True).stdout
        return sum(int(line.split()[1]) for line in text.splitlines() if line.split()[0] == what + ":")

    resident = proportional = unshared = 0
    sample = started[:: max(1, sessions // 50)]
    for each in sample:
        for pid in [each.pid] + children(each.pid):
            resident += kilobytes(pid, "Rss")
            proportional += kilobytes(pid, "Pss")
            unshared += kilobytes(pid, "Private_Clean") + kilobytes(pid, "Private_Dirty")
    count = len(sample)
    print(f"{sessions} sessions stood after {stood:.1f} s; of each, in MiB, from {count}: "
          f"proportional {proportional / count / 1024:.1f}, unshared {unshared / count / 1024:.1f}, resident {resident / count / 1024:.1f}")
finally:
    for each in started:
        each.terminate()
    for each in started:
        each.wait()
END
