#!/usr/bin/env bash
# Real containers of Podman behind the gateway, by the OCI hook. As root. Usage: oci_hook.sh SALLYPORT HOOK_FILE
# Exits with 77 (skipped) where Podman cannot run.
set -euo pipefail
sallyport=$1 hook_file=$2
skip() { echo "skipped: $*"; exit 77; }
[ "$(id -u)" -eq 0 ] || skip "needs root"
for tool in podman runc debootstrap; do command -v "$tool" >/dev/null || skip "needs $tool"; done

image=$("$(dirname "$0")/make_image.sh") || skip "no image: debootstrap or podman import does not work here"
place=$(mktemp -d /var/tmp/sallyport-hook.XXXXXX)
names=(attached other)
cleanup() {
  for name in "${names[@]}"; do podman rm -f -t 0 "sallyport-test-$name" >/dev/null 2>&1 || true; done
  rm -rf "$place"
}
trap cleanup EXIT
left_behind=$(podman ps -aq --filter name='^sallyport-test-')  # of a run that was killed
[ -z "$left_behind" ] || podman rm -f -t 0 $left_behind >/dev/null
mkdir "$place/hooks"
sed -e "s|/usr/bin/sallyport|$sallyport|" -e "s|\"oci-hook\"|\"oci-hook\", \"--audit\", \"$place/audit.jsonl\"|" "$hook_file" >"$place/hooks/50-sallyport.json"
run() { podman --runtime runc --hooks-dir "$place/hooks" run --ulimit nofile=4096:4096 --ulimit nproc=4096:4096 "$@"; }
fail() { echo "FAILED: $*" >&2; exit 1; }
run --rm --network none "$image" true || skip "podman cannot run a container here, also without a hook"
before=$(nft list ruleset; ip -o route show table all; ip -o link | cut -d: -f2)

echo "== an allowed install, and what no rule allows"
mkdir "$place/ca"
run --name sallyport-test-attached --network none --annotation io.sallyport.policy=npm --annotation "io.sallyport.ca-out=$place/ca/ca.pem" \
  -v "$place/ca:/ca:ro" -e NODE_EXTRA_CA_CERTS=/ca/ca.pem "$image" sh -c '
  cd /root && npm install --no-audit --no-fund express >/dev/null || exit 11
  test -d node_modules/express || exit 12
  curl -sS -m 5 https://example.com && exit 13
  curl -sS -m 5 https://1.1.1.1 && exit 14
  curl -sS -m 5 -g "https://[2606:4700::1111]" && exit 15
  exit 0' || fail "the container ended with $?"

for _ in $(seq 100); do grep -q '"session.end"' "$place/audit.jsonl" && break; sleep 0.1; done
grep -q '"cause":"container_ended"' "$place/audit.jsonl" || fail "the session did not end with its container"
"$sallyport" audit verify "$place/audit.jsonl" || fail "the audit log is not whole"
grep -q '"host":"registry.npmjs.org".*"exe":"/usr/bin/node"' "$place/audit.jsonl" || fail "no process in the records"
grep -q '"reason":"ip_literal"' "$place/audit.jsonl" || fail "the address that was dialled is not in the log"

echo "== a policy that is not there: the container does not start, and the reason is told"
if run --rm --name sallyport-test-other --network none --annotation io.sallyport.policy=/nowhere.yaml "$image" true 2>"$place/err"; then
  fail "it started"
fi
grep -q '/nowhere.yaml' "$place/err" || fail "no reason: $(cat "$place/err")"

echo "== TLS would be inspected, and nobody asked for the certificate: the container does not start"
if run --rm --name sallyport-test-other --network none --annotation io.sallyport.policy=npm "$image" true 2>"$place/err"; then
  fail "it started"
fi
grep -q 'io.sallyport.ca-out' "$place/err" || fail "no reason: $(cat "$place/err")"

echo "== a container with power over its network does not start"
if run --rm --name sallyport-test-other --network none --cap-add NET_ADMIN --annotation io.sallyport.policy=npm "$image" true 2>"$place/err"; then
  fail "it started"
fi
grep -q 'NET_ADMIN' "$place/err" || fail "no reason: $(cat "$place/err")"

echo "== the host's network is refused"
if run --rm --name sallyport-test-other --network host --annotation io.sallyport.policy=npm "$image" true 2>"$place/err"; then fail "it started"; fi

echo "== without the annotation nothing of ours is there"
run --rm --name sallyport-test-other --network none "$image" sh -c '! curl -sS -m 5 https://registry.npmjs.org 2>/dev/null' || fail "it has a network"

after=$(nft list ruleset; ip -o route show table all; ip -o link | cut -d: -f2)
[ "$before" = "$after" ] || fail "the host's rules, routes or devices have changed"
echo ok
