#!/usr/bin/env bash
# The Debian package's units under a real systemd, in a container that boots: socket activation, readiness, clients in another network
# namespace (curl, npm, git), reload, watchdog, stop, and all that confines the gateway elsewhere confines it here. As root.
# Usage: systemd.sh BUILD_DIR. Exits with 77 (skipped) where Podman cannot boot such a container.
set -euo pipefail
build=$1
here=$(cd "$(dirname "$0")" && pwd)
skip() { echo "skipped: $*"; exit 77; }
fail() { echo "FAILED: $*" >&2; exit 1; }
[ "$(id -u)" -eq 0 ] || skip "needs root"
for tool in podman runc debootstrap slirp4netns; do command -v "$tool" >/dev/null || skip "needs $tool"; done
image=$("$here/make_image.sh") || skip "no image: debootstrap or podman import does not work here"

place=$(mktemp -d /var/tmp/sallyport-systemd.XXXXXX)
name=sallyport-systemd-$$
trap 'podman rm -f -t 0 "$name" >/dev/null 2>&1 || true; rm -rf "$place"' EXIT
DESTDIR=$place/root cmake --install "$build" --prefix /usr >/dev/null
tar -C "$place/root" -cf "$place/root.tar" .
open_files=$(ulimit -Hn)
podman --runtime runc run -d --name "$name" --privileged --systemd=always --network slirp4netns --ulimit "nofile=$open_files:$open_files" \
  --ulimit nproc=4096:4096 "$image" /sbin/init >/dev/null || skip "podman cannot start a privileged container here"
inside() { podman exec "$name" "$@"; }
for _ in $(seq 300); do [ "$(inside systemctl is-system-running 2>/dev/null)" = running ] && break; sleep 0.1; done
[ "$(inside systemctl is-system-running 2>/dev/null)" = running ] || skip "systemd does not boot in a container here"

podman cp "$place/root.tar" "$name:/root.tar"
cat >"$place/setup" <<'SH'
set -eu
tar -C / -xf /root.tar
mkdir -p /etc/sallyport /etc/systemd/system/sallyport-proxy.socket.d /etc/systemd/system/sallyport-proxy.service.d /client
printf 'version: 1\nname: service\nextends: [npm]\n' >/etc/sallyport/policy.yaml
printf '[Socket]\nListenStream=\nListenStream=10.9.0.1:3128\n' >/etc/systemd/system/sallyport-proxy.socket.d/address.conf
printf '[Service]\nWatchdogSec=5\nEnvironment="SALLYPORT_PROXY_OPTIONS=--allow-clients 10.9.0.0/24 --ca-out %%S/sallyport/ca.pem"\n' \
  >/etc/systemd/system/sallyport-proxy.service.d/options.conf
ip netns add client
ip link add host0 type veth peer name client0 netns client
ip addr add 10.9.0.1/24 dev host0
ip link set host0 up
ip -n client addr add 10.9.0.2/24 dev client0
ip -n client link set client0 up
systemctl daemon-reload
systemctl start sallyport-proxy.socket
SH
inside sh -c "$(cat "$place/setup")" || fail "the units do not start"
[ "$(inside systemctl is-active sallyport-proxy || true)" = inactive ] || fail "the service does not wait for a client"

from_client() { # COMMAND…: in the client's network namespace, with the session's certificate
  inside sh -c 'cat /etc/ssl/certs/ca-certificates.crt /var/lib/private/sallyport/ca.pem >/client/ca.pem 2>/dev/null
    cd /client && exec ip netns exec client env HTTPS_PROXY=http://10.9.0.1:3128 https_proxy=http://10.9.0.1:3128 \
      CURL_CA_BUNDLE=/client/ca.pem GIT_SSL_CAINFO=/client/ca.pem NODE_EXTRA_CA_CERTS=/client/ca.pem "$@"' sh "$@"
}
echo "== the first client starts it; curl, npm and git"
from_client curl -sS -m 20 -o /dev/null https://registry.npmjs.org/ >/dev/null 2>&1 || true # it does not trust the session yet
[ "$(inside systemctl is-active sallyport-proxy)" = active ] || fail "no client starts the service: $(inside journalctl -u sallyport-proxy --no-pager)"
[ "$(from_client curl -sS -m 20 -o /dev/null -w '%{http_code}' https://registry.npmjs.org/express)" = 200 ] || fail "curl"
from_client npm install --silent --no-audit --no-fund express || fail "npm"
inside test -d /client/node_modules/express || fail "express is not there"
from_client curl -sS -m 5 https://example.com 2>/dev/null && fail "a name that is not allowed is reached"
from_client git ls-remote https://github.com/x/y >"$place/git" 2>&1 && fail "git reaches what is not allowed"
grep -q 'response 403' "$place/git" || fail "git is not refused by the gateway: $(cat "$place/git")"

echo "== nothing that confines the gateway is missing under the unit's own filter"
inside sh -c 'head -n 1 -q /var/lib/private/sallyport/audit/*.jsonl' >"$place/start"
grep -q 'Landlock' "$place/start" && fail "Landlock is not there: $(cat "$place/start")"

echo "== reload"
inside sh -c 'printf "version: 1\nname: changed\nextends: [npm]\n" >/etc/sallyport/policy.yaml && systemctl reload sallyport-proxy'
for _ in $(seq 100); do inside systemctl status sallyport-proxy --no-pager | grep -q 'policy changed reloaded' && break; sleep 0.1; done
inside systemctl status sallyport-proxy --no-pager | grep -q 'policy changed reloaded' || fail "the status does not say that the policy was reloaded"

main_pid() { inside systemctl show -p MainPID --value sallyport-proxy; }
for process in sallyport sallyport-gw; do
  echo "== the watchdog ends and restarts the unit when $process hangs"
  before=$(main_pid)
  inside pkill -STOP -x "$process"
  for _ in $(seq 200); do
    now=$(main_pid)
    [ "$now" != "$before" ] && [ "$now" != 0 ] && break
    sleep 0.1
  done
  [ "$now" != "$before" ] && [ "$now" != 0 ] || fail "the watchdog did nothing"
done
[ "$(from_client curl -sS -m 20 -o /dev/null -w '%{http_code}' https://registry.npmjs.org/express)" = 200 ] || fail "curl, after the restart"

echo "== stop; the log is whole, for whoever names the service's key"
inside systemctl stop sallyport-proxy.socket sallyport-proxy
[ "$(inside systemctl show -p Result --value sallyport-proxy)" = success ] || fail "it does not stop well"
inside sh -c 'sallyport audit verify --key /var/lib/private/sallyport/audit.key "$(ls -t /var/lib/private/sallyport/audit/*.jsonl | head -n 1)"' || fail "the log is not whole"
echo ok
