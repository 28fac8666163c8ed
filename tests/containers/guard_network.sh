# Sourced by the tests of `sallyport guard`, as root: a network namespace, "inside", that has a device, a default route, and a web server
# beyond it, in "outside". Sets $place, a directory of the test's own. Skips (77) without root.
[ "$(id -u)" -eq 0 ] || { echo "skipped: needs root"; exit 77; }
place=$(mktemp -d /var/tmp/sallyport-guard.XXXXXX)
export XDG_STATE_HOME=$place
pids=()
cleanup() {
  for pid in "${pids[@]}"; do kill -9 "$pid" && wait "$pid" || true; done 2>/dev/null
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
# The guard's lock is in /run: this container has one of its own, and its own resolver.
echo "nameserver 192.0.2.1" >"$place/resolv.conf"
cat >"$place/enter" <<'ENTER'
mount -t tmpfs none /run
to=$(readlink -f /etc/resolv.conf)
[ -e "$to" ] || { mkdir -p "$(dirname "$to")" && touch "$to"; }
mount --bind "$0" "$to"
exec "$@"
ENTER
inside() { ip netns exec spguard-in unshare -m sh -ec "$(cat "$place/enter")" "$place/resolv.conf" "$@"; }
direct() { ip netns exec spguard-in curl -sS -m 3 http://192.0.2.1:8080/hello; }
for _ in $(seq 50); do direct >/dev/null 2>&1 && break; sleep 0.1; done
[ "$(direct)" = hello ] || fail "the test's own network does not work"
cat >"$place/policy.yaml" <<'YAML'
version: 1
name: guard
egress:
  - {name: a, hosts: [a.example], ports: [8080], inspect: sni, resolve: [192.0.2.0/24]}
YAML
