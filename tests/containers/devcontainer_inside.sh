#!/usr/bin/env bash
# Inside a Dev Container, as its agent: what the policy `npm` allows works, every other way out is refused, at once.
# The families are those of docs/threat_model.md: direct dials, UDP and DNS, IPv6, proxies left out, routes, packet filters, sockets, names.
set -uo pipefail
failures=0
fail() { echo "inside: $*" >&2; failures=$((failures + 1)); }
refused() { # WHAT COMMAND…: fails, within three seconds
  local what=$1 started=$SECONDS
  shift
  "$@" >/dev/null 2>&1 && fail "$what is possible"
  [ $((SECONDS - started)) -le 4 ] || fail "$what hangs for $((SECONDS - started)) seconds"
}
python() { python3 -c "import socket
$1"; }

[ "$(id -u)" -ne 0 ] || fail "the agent is root"
grep -q '^CapEff:.*0000000000000000$' /proc/self/status || fail "the agent has capabilities"
grep -q '^NoNewPrivs:.*1$' /proc/self/status || fail "the agent may gain privileges"
touch workspace-is-writable || fail "the workspace cannot be written"
refused "changing .devcontainer" touch .devcontainer/devcontainer.json
refused "becoming root" setpriv --reuid 0 true
refused "becoming the gateway's user" setpriv --reuid 61000 true

npm install --no-audit --no-fund --no-update-notifier express >/dev/null || fail "npm install express does not work"
[ -d node_modules/express ] || fail "express is not there"
curl -sS -m 20 -o /dev/null https://registry.npmjs.org/express || fail "curl does not trust the gateway"

for port in 443 80 22 25 5432 8080; do refused "TCP to 1.1.1.1:$port" timeout 3 bash -c "exec 3<>/dev/tcp/1.1.1.1/$port; echo x >&3; read -r -N 1 -u 3"; done
for server in 8.8.8.8 1.1.1.1 9.9.9.9; do
  refused "DNS over UDP at $server" python "
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.settimeout(3)
s.sendto(b'\x12\x34\x01\0\0\x01\0\0\0\0\0\0\x07example\x03com\0\0\x01\0\x01', ('$server', 53))
raise SystemExit(s.recv(512)[3] & 15 != 0)"
done
refused "UDP to another port" python "
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.settimeout(2)
s.connect(('8.8.8.8', 9999)); s.send(b'x'); s.recv(1)"
refused "DNS over HTTPS" curl -sS -m 3 'https://1.1.1.1/dns-query?name=example.com'
refused "DNS over TLS" timeout 3 bash -c 'exec 3<>/dev/tcp/1.1.1.1/853; echo x >&3; read -r -N 1 -u 3'
refused "IPv6" curl -sS -m 3 -6 -g 'https://[2606:4700:4700::1111]'
refused "an address mapped to IPv6" curl -sS -m 3 -g 'https://[::ffff:1.1.1.1]'
refused "ICMP" python "socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)"
refused "a packet socket" python "socket.socket(socket.AF_PACKET, socket.SOCK_RAW)"
refused "multicast" python "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('224.0.0.251', 5353))"

refused "a forbidden name" curl -sS -m 3 https://example.com
refused "a forbidden name, without proxy variables" env NO_PROXY='*' ALL_PROXY= curl -sS -m 3 --noproxy '*' https://example.com
refused "a forbidden name at an allowed address" curl -sS -m 3 --connect-to example.com:443:registry.npmjs.org:443 https://example.com
refused "an allowed name at another address" curl -sS -m 3 -k --resolve registry.npmjs.org:443:169.254.169.254 -o /dev/null --fail https://registry.npmjs.org/latest/meta-data
refused "a question for a forbidden name" getent hosts example.com
refused "resolv.conf of the agent" bash -c 'echo nameserver 8.8.8.8 >/etc/resolv.conf'
refused "a hosts entry of the agent" bash -c 'echo 1.1.1.1 example.com >>/etc/hosts'
refused "a route" ip route add 203.0.113.1 dev lo
refused "a device that is down" ip link set lo down
refused "flushing the packet filter" nft flush ruleset
refused "a new packet filter" nft add table inet mine

for name in registry.npmjs.org.evil.com notregistry.npmjs.org evilregistry.npmjs.org registry..npmjs.org registry.npmjs.org%2eevil.com; do
  refused "the name $name" curl -sS -m 3 "https://$name/"
done
refused "a name behind an @" curl -sS -m 3 'https://registry.npmjs.org@evil.com/'
for address in 2130706433 0177.0.0.1 0x7f.1 '[::1]' 0.0.0.0 100.64.0.1 169.254.169.254 '[fd00:ec2::254]' '[64:ff9b::101:101]' '[2002:101:101::]' 240.0.0.1 255.255.255.255; do
  refused "the address $address" curl -sS -m 3 -g "http://$address/"
done
refused "the metadata service" curl -sS -m 3 http://metadata.google.internal/

for socket in /var/run/docker.sock /run/podman/podman.sock /run/dbus/system_bus_socket; do [ ! -S "$socket" ] || fail "$socket is here"; done
[ -z "${SSH_AUTH_SOCK:-}" ] || fail "an ssh agent is here"
exit $((failures > 0))
