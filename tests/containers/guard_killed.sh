#!/usr/bin/env bash
# `sallyport guard` killed with -9 at each of its system calls, in turn: as the first guard of a container, and as one after another. Nothing
# that the container runs may ever find the network open. As root.
# Usage: guard_killed.sh SALLYPORT. Exits with 77 (skipped) without root or strace.
set -euo pipefail
sallyport=$1
command -v strace >/dev/null || { echo "skipped: needs strace"; exit 77; }
. "$(dirname "$0")/guard_network.sh"

# What the guard starts: says that it ran, and whether it got out.
cat >"$place/agent" <<'AGENT'
#!/bin/sh
touch "$1/ran"
curl -sS -m 3 http://192.0.2.1:8080/hello >/dev/null 2>&1 && touch "$1/escaped"
exit 0
AGENT
chmod +x "$place/agent"
traced() {
  inside strace "$@" "$sallyport" guard --policy "$place/policy.yaml" --resolve a.example:8080:192.0.2.1 --audit "$place/log.jsonl" \
    -- "$place/agent" "$place" >/dev/null 2>&1
}
open_again() { ip netns exec spguard-in nft delete table inet sallyport 2>/dev/null || true; }

# Each system call by name and how often one of the guard's processes makes it: the steps. What only looks, or only touches memory, is left out.
traced -ff -o "$place/trace" || fail "it does not run: $?"
[ -e "$place/ran" ] || fail "it started nothing"
for trace in "$place"/trace.*; do sed -n 's/^\([a-z0-9_]*\)(.*/\1/p' "$trace" | sort | uniq -c; done |
  awk '$2 !~ /^(newfstatat|readlink|readlinkat|getdents64|read|pread64|lseek|access|close|brk|mmap|munmap|mprotect|madvise|get.*|fcntl|rt_sig.*|prlimit64|uname|rseq|arch_prctl|set_.*|futex|exit_group)$/ && $1 > most[$2] { most[$2] = $1 }
       END { for (name in most) for (k = 1; k <= most[name]; ++k) print name, k }' | sort >"$place/steps"
rm -f "$place"/trace.*
[ "$(wc -l <"$place/steps")" -gt 100 ] || fail "too few steps: $(wc -l <"$place/steps")"

# Tries without a pause, from another process of the container. That a connection is accepted says nothing: the gateway accepts it.
cat >"$place/probe.py" <<'PY'
import sys, urllib.request
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
while True:
    try:
        if opener.open("http://192.0.2.1:8080/hello", timeout=2).read() == b"hello\n":
            open(sys.argv[1], "w").close()
            break
    except OSError:
        pass
PY

echo "== one guard after another: at no step is there a gap"
direct >/dev/null 2>&1 && fail "the first guard left it open"
ip netns exec spguard-in python3 "$place/probe.py" "$place/gap" & pids+=($!)
while read -r call nth; do
  rm -f "$place"/ran "$place"/log.*
  traced -f -o /dev/null -e "inject=$call:signal=KILL:when=$nth" </dev/null || true
  [ ! -e "$place/gap" ] && [ ! -e "$place/escaped" ] || fail "ESCAPED: open after it was killed at $call, $nth"
done <"$place/steps"
kill -0 "${pids[-1]}" || fail "the probe has ended"
kill -9 "${pids[-1]}"
echo "killed at $(wc -l <"$place/steps") steps"

echo "== the first guard: the container's program starts behind it or not at all"
before=0 closed=0
while read -r call nth; do
  rm -f "$place"/ran "$place"/log.*
  open_again
  traced -f -o /dev/null -e "inject=$call:signal=KILL:when=$nth" </dev/null || true
  [ ! -e "$place/escaped" ] || fail "ESCAPED: the program got out after the guard was killed at $call, $nth"
  if direct >/dev/null 2>&1; then
    [ ! -e "$place/ran" ] || fail "ESCAPED: the program runs in the open after the guard was killed at $call, $nth"
    before=$((before + 1))
  else
    closed=$((closed + 1))
  fi
done <"$place/steps"
[ "$closed" -gt "$before" ] || fail "it closed the network at $closed steps of $((closed + before))"
echo "killed at $before steps before its rules, with nothing started, and at $closed after them, closed"
echo ok
