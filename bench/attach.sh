#!/usr/bin/env bash
# What `attach` adds to the start of a container: its own time, for a container that is a network namespace with a sleeping process, and, where
# Podman has an image, the start of a real one with the hook beside one without. Medians of ROUNDS alternating runs. As root.
# Usage: attach.sh SALLYPORT [IMAGE] [ROUNDS]
set -euo pipefail
sallyport=$(readlink -f "$1") image=${2:-} rounds=${3:-11}
hook_file=$(dirname "$(readlink -f "$0")")/../devcontainer/50-sallyport.json
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cat >"$place/sni.yaml" <<'YAML'
version: 1
name: sni
egress:
  - {name: a, hosts: [a.example], inspect: sni}
YAML
milliseconds() { local from; from=$(date +%s%N); "$@" >/dev/null 2>&1 || { echo "failed: $*" >&2; exit 1; }; echo $((($(date +%s%N) - from) / 10000)); }
median() { sort -n "$1" | awk '{ at[NR] = $1 } END { printf "%.1f ms", at[int((NR + 1) / 2)] / 100 }'; }

for _ in $(seq "$rounds"); do
  for policy in "$place/sni.yaml" npm; do
    unshare -n -- setpriv --bounding-set -net_admin -- sleep 60 >/dev/null 2>&1 &
    container=$!
    until [ "$(cat "/proc/$container/comm" 2>/dev/null)" = sleep ]; do :; done
    milliseconds "$sallyport" attach --detach --policy "$policy" --ca-out "$place/ca.pem" --audit "$place/$container.jsonl" --pid "$container" \
      >>"$place/attach.$(basename "$policy" .yaml)"
    kill "$container"
    wait "$container" 2>/dev/null || true
  done
done
echo "attach, TLS closed: $(median "$place/attach.sni"); TLS inspected: $(median "$place/attach.npm")"

[ -n "$image" ] || exit 0
mkdir "$place/hooks"
sed "s|/usr/bin/sallyport|$sallyport|" "$hook_file" >"$place/hooks/50-sallyport.json"
run() { podman --runtime runc --hooks-dir "$place/hooks" run --rm --network none --ulimit nofile=4096:4096 --ulimit nproc=4096:4096 "$@" "$image" true; }
for _ in $(seq "$rounds"); do
  milliseconds run >>"$place/plain"
  milliseconds run --annotation "io.sallyport.policy=$place/sni.yaml" >>"$place/hook.sni"
  milliseconds run --annotation io.sallyport.policy=npm --annotation "io.sallyport.ca-out=$place/ca.pem" >>"$place/hook.npm"
done
echo "podman run, no hook: $(median "$place/plain"); TLS closed: $(median "$place/hook.sni"); TLS inspected: $(median "$place/hook.npm")"
