#!/usr/bin/env bash
# `npm ci` of a project with 327 packages, outside and through the jail with full inspection, in turn, each with an empty cache:
#
#     bench/npm_ci.sh build/bin/sallyport [ROUNDS]
#
# Needs the npm registry. Prints seconds, and the ratio of the medians.
set -euo pipefail
binary=$(realpath "$1")
rounds=${2:-5}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir project
cd project
echo '{"name": "large", "version": "1.0.0", "dependencies": {"express": "*", "jest": "^29"}}' > package.json
npm install --package-lock-only --no-audit --no-fund >/dev/null

seconds() {  # COMMAND…: of its run, with nothing installed
  rm -rf node_modules ../cache
  local began=$EPOCHREALTIME
  "$@" >/dev/null
  echo "$EPOCHREALTIME $began" | awk '{printf "%.2f\n", $1 - $2}'
}
install=(npm ci --no-audit --no-fund --ignore-scripts)
for ((i = 0; i < rounds; i++)); do
  seconds "${install[@]}" --cache ../cache >> ../outside
  seconds "$binary" run --policy npm --audit "$work/log.$i" -- "${install[@]}" --cache /tmp/cache >> ../inside
done
cd ..
median() { sort -n "$1" | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}'; }
echo "outside: $(tr '\n' ' ' < outside)median $(median outside)"
echo "inside:  $(tr '\n' ' ' < inside)median $(median inside)"
awk -v a="$(median outside)" -v b="$(median inside)" 'BEGIN {printf "ratio %.2f\n", b / a}'
