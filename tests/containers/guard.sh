#!/usr/bin/env bash
# `sallyport guard` in a network namespace that has a device, a default route, and a web server and a resolver beyond it. As root.
# Usage: guard.sh SALLYPORT. Exits with 77 (skipped) without root.
set -euo pipefail
sallyport=$1
. "$(dirname "$0")/guard_network.sh"
guard() { inside "$sallyport" guard --policy "$place/policy.yaml" --resolve a.example:8080:192.0.2.1 --audit "$place/$1.jsonl" "${@:2}"; }

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

echo "== a key of the guard's environment is not the command's, which has a placeholder of it"
cat >"$place/key.yaml" <<'YAML'
version: 1
egress: [{hosts: [a.example]}]
credentials: [{name: API_KEY, from: {env: API_KEY}, hosts: [a.example], header: x-key}]
YAML
export API_KEY=real-value-of-the-key-01 status=0
inside "$sallyport" guard --policy "$place/key.yaml" --resolve a.example:443:192.0.2.1 --audit "$place/key.jsonl" --ca-out "$place/ca.pem" \
  --placeholder API_KEY=held-by-the-command-1 -- sh -c '
  [ "$API_KEY" = held-by-the-command-1 ] || exit 11
  cat /proc/self/environ /proc/$PPID/environ | grep -aq real-value && exit 12
  exit 7' 2>"$place/err" || status=$?
unset API_KEY
[ "$status" = 7 ] || fail "the command ended with $status: $(cat "$place/err")"

echo "== fifty names of which three do not resolve: it starts, and says which"
cat >"$place/dns.py" <<'PY'
# Answers every A question with 192.0.2.1, but for gone*.example, which do not exist. RFC 1035 section 4.
import socket, struct
server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
server.bind(("192.0.2.1", 53))
print("up", flush=True)
while True:
    question, client = server.recvfrom(512)
    end = question.index(0, 12) + 5
    kind = struct.unpack("!H", question[end - 4:end - 2])[0]
    gone = question[13:17] == b"gone"
    answer = b"" if gone or kind != 1 else struct.pack("!HHHIH4B", 0xC00C, 1, 1, 60, 4, 192, 0, 2, 1)
    head = question[:2] + struct.pack("!HHHHH", 0x8183 if gone else 0x8180, 1, 1 if answer else 0, 0, 0)
    server.sendto(head + question[12:end] + answer, client)
PY
ip netns exec spguard-out python3 "$place/dns.py" >"$place/dns.out" & pids+=($!)
for _ in $(seq 100); do grep -q up "$place/dns.out" && break; sleep 0.1; done
names=$(printf 'name%s.example, ' $(seq 47))
sed "s/a\.example/${names}gone1.example, gone2.example, gone3.example/" "$place/policy.yaml" >"$place/fifty.yaml"
inside "$sallyport" guard --policy "$place/fifty.yaml" --audit "$place/fifty.jsonl" -- sh -c '
  [ "$(curl -sS -m 10 http://name47.example:8080/hello)" = hello ] || exit 11
  curl -sS -m 10 http://gone2.example:8080/hello | grep -q resolve_failed || exit 12
  for _ in $(seq 100); do grep -q "do not resolve" "$1" && exit 0; sleep 0.1; done
  exit 13' sh "$place/err" >/dev/null 2>"$place/err" || fail "it ended with $?: $(cat "$place/err")"
grep -q "3 of 50 names .* do not resolve now: gone1.example, gone2.example, gone3.example" "$place/err" || fail "$(cat "$place/err")"
echo ok
