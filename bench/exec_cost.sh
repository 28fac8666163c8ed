#!/usr/bin/env bash
# What the exec notification costs: a loop of /bin/true, and a real make, inside the jail and under bwrap with the same namespaces.
# Alternating runs, so that drift of the machine hits both; prints the medians and the ratio.
#
#   exec_cost.sh SALLYPORT [RUNS]        needs bwrap, make, g++, python3
set -euo pipefail
sallyport=$(realpath "$1") runs=${2:-5}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
for i in $(seq 40); do printf '#include <map>\n#include <string>\nint f%d() { std::map<int, std::string> m; return int(m.size()); }\n' "$i" > "f$i.cpp"; done
printf 'objects := $(patsubst %%.cpp,%%.o,$(wildcard *.cpp))\nall: $(objects)\nclean:\n\t@rm -f *.o\n' > Makefile
cat > loop.sh <<'END'
i=0; while [ $i -lt 1000 ]; do /bin/true; i=$((i+1)); done
END
seconds() { python3 -c 'import subprocess,sys,time; t=time.monotonic(); subprocess.run(sys.argv[1:],check=True,stdout=subprocess.DEVNULL,stderr=subprocess.DEVNULL); print(time.monotonic()-t)' "$@"; }
bwrap_() { seconds bwrap --unshare-all --die-with-parent --ro-bind / / --bind "$work" "$work" --dev /dev --proc /proc --chdir "$work" "$@"; }
jail_() { seconds "$sallyport" run --policy none --audit "$work/../$(basename "$work").$RANDOM$RANDOM.jsonl" -- "$@"; }
for r in $(seq "$runs"); do
  for what in loop make; do
    if [ $what = loop ]; then command=(sh loop.sh); else command=(make -j2 all); fi
    for where in bwrap jail; do
      rm -f ./*.o
      echo "$what $where $("${where}_" "${command[@]}")" >> times
    done
  done
done
rm -f "$work/../$(basename "$work")".*.jsonl
python3 - times <<'END'
import statistics, sys
times = {}
for line in open(sys.argv[1]):
    what, where, seconds = line.split()
    times.setdefault((what, where), []).append(float(seconds))
print("| what | bwrap s | jail s | ratio |\n|---|--:|--:|--:|")
for what in ("loop", "make"):
    b, j = (statistics.median(times[what, w]) for w in ("bwrap", "jail"))
    name = "1,000 × /bin/true" if what == "loop" else "make -j2, 40 C++ files"
    print(f"| {name} | {b:.2f} | {j:.2f} | {j / b:.3f} |")
END
