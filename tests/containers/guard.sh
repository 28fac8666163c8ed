#!/usr/bin/env bash
# `sallyport guard` in a network namespace that has a device, a default route, and a web server and a resolver beyond it. As root.
# Usage: guard.sh SALLYPORT. Exits with 77 (skipped) without root.
set -euo pipefail
sallyport=$1
[ "$(id -u)" -eq 0 ] || { echo "skipped: needs root"; exit 77; }
place=$(mktemp -d /var/tmp/sallyport-guard.XXXXXX)
export XDG_STATE_HOME=$place
pids=()
cleanup() {
  for pid in "${pids[@]}"; do kill -9 "$pid" 2>/dev/null || true; done
  ip netns del spguard-in 2>/dev/null || true
  ip netns del spguard-out 2>/dev/null || true
  rm -rf "$place"
}
trap cleanup EXIT
fail() { echo "FAILED: $*" >&2; exit 1; }

ip netns add spguard-in
ip netns add spguard-out
ip -n spguard-in link add inside type veth peer name outside netns spguard-out
ip -n spguard-in addr add 192.0.2.2/24 dev inside
ip -n spguard-out addr add 192.0.2.1/24 dev outside
for at in "spguard-in lo" "spguard-in inside" "spguard-out lo" "spguard-out outside"; do set -- $at; ip -n "$1" link set "$2" up; done
ip -n spguard-in route add default via 192.0.2.1
mkdir "$place/www"
echo hello >"$place/www/hello"
ip netns exec spguard-out python3 -m http.server -d "$place/www" --bind 192.0.2.1 8080 >/dev/null 2>&1 &
pids+=($!)
# The guard's lock is in /run: this container has one of its own.
inside() { ip netns exec spguard-in unshare -m sh -c 'mount -t tmpfs none /run && exec "$@"' sh "$@"; }
direct() { ip netns exec spguard-in curl -sS -m 3 http://192.0.2.1:8080/hello; }
for _ in $(seq 50); do direct >/dev/null 2>&1 && break; sleep 0.1; done
[ "$(direct)" = hello ] || fail "the test's own network does not work"
guard() { inside "$sallyport" guard --policy "$place/policy.yaml" --resolve a.example:8080:192.0.2.1 --audit "$place/$1.jsonl" "${@:2}"; }
cat >"$place/policy.yaml" <<'YAML'
version: 1
name: guard
egress:
  - {name: a, hosts: [a.example], ports: [8080], inspect: sni, resolve: [192.0.2.0/24]}
YAML

echo "== what the policy allows works, the rest is refused, also after NET_ADMIN is gone"
guard first -- sh -c '
  [ "$(curl -sS -m 10 http://a.example:8080/hello)" = hello ] || exit 11
  curl -sS -m 5 http://192.0.2.1:8080/hello && exit 12
  curl -sS -m 5 http://b.example:8080/hello && exit 13
  nft flush ruleset 2>/dev/null && exit 14
  exit 7' >/dev/null 2>"$place/err" || status=$?
[ "${status:-0}" = 7 ] || fail "the command ended with ${status:-0}: $(cat "$place/err")"
"$sallyport" audit verify "$place/first.jsonl" >/dev/null || fail "the log is not whole"
grep -q '"host":"a.example"' "$place/first.jsonl" || fail "no record of the request"

echo "== after the end the network is closed"
direct 2>/dev/null && fail "it is open"

echo "== killed with -9: closed; a second start works"
guard second >"$place/out" 2>&1 &
pids+=($!)
for _ in $(seq 100); do grep -q guarding "$place/out" && break; sleep 0.1; done
grep -q guarding "$place/out" || fail "it did not start: $(cat "$place/out")"
direct 2>/dev/null && fail "it is open while it is guarded"
ip netns pids spguard-in | xargs -r kill -9
wait "${pids[-1]}" 2>/dev/null || true
direct 2>/dev/null && fail "it is open after the guard was killed"
guard third -- sh -c 'curl -sS -m 10 http://a.example:8080/hello' | grep -q hello || fail "the second start does not serve"

echo "== in the background: it returns once it guards, or with an error"
guard fourth --detach >"$place/out" || fail "it did not start"
grep -q guarding "$place/out" || fail "it did not say where its log is: $(cat "$place/out")"
direct 2>/dev/null && fail "it is open while it is guarded in the background"
ip netns exec spguard-in curl -sS -m 10 --resolve a.example:8080:198.18.0.1 http://a.example:8080/hello | grep -q hello || fail "it does not serve"
ip netns pids spguard-in | xargs -r kill -9
inside "$sallyport" guard --detach --policy /nowhere.yaml 2>/dev/null && fail "it said that it guards"

echo "== a policy that is wrong closes the network"
ip netns exec spguard-in nft delete table inet sallyport
[ "$(direct)" = hello ] || fail "the test cannot open its network again"
inside "$sallyport" guard --policy /nowhere.yaml -- true 2>/dev/null && fail "it started"
direct 2>/dev/null && fail "it is open"
echo ok
