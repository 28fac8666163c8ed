#!/usr/bin/env bash
# Requests over HTTP/2 inside TLS, opened and closed again on their way: h2load through `sallyport proxy --listen-tls` to nghttpd, beside no proxy,
# nghttpx (no policy, no log: the limit of the library) and mitmdump as reverse proxies. GET of 100 bytes, CONNECTIONS × STREAMS at a time.
# Usage: http2.sh SALLYPORT [ROUNDS]. Needs nghttp2-client, nghttp2-server; nghttp2-proxy and mitmproxy where they are there.
set -euo pipefail
sallyport=$1 rounds=${2:-3} connections=16 streams=8
place=$(mktemp -d)
pids=()
trap 'kill "${pids[@]}" 2>/dev/null || true; rm -rf "$place"' EXIT
cd "$place"
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=h2.example \
  -addext subjectAltName=DNS:h2.example 2>/dev/null
mkdir www && head -c 100 /dev/zero | tr '\0' x >www/f
cat >policy.yaml <<'YAML'
version: 1
name: h2
egress:
  - {name: h2, hosts: [h2.example], methods: [GET]}
YAML
background() { "$@" >>out 2>&1 & pids+=($!); }
background nghttpd -d www --address=127.0.0.1 19443 key.pem cert.pem
background "$sallyport" proxy --policy policy.yaml --resolve h2.example:443:127.0.0.1:19443 --ca-bundle cert.pem --listen-tls 127.0.0.1:19444 \
  --ca-out ca.pem --audit log.jsonl --max-connections-per-client 1000
names=(direct sallyport) ports=(19443 19444)
if command -v nghttpx >/dev/null; then
  background nghttpx --conf=/dev/null -f'127.0.0.1,19445' -b'127.0.0.1,19443;;tls;proto=h2;sni=h2.example' --workers=1 -k key.pem cert.pem
  names+=(nghttpx) ports+=(19445)
fi
if command -v mitmdump >/dev/null; then
  background mitmdump -q --mode reverse:https://127.0.0.1:19443 --listen-host 127.0.0.1 -p 19446 --ssl-insecure --set confdir="$place/mitm"
  names+=(mitmdump) ports+=(19446)
fi
for port in "${ports[@]}"; do
  for _ in $(seq 100); do (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && break; sleep 0.1; done
done
for round in $(seq "$rounds"); do
  for at in "${!names[@]}"; do
    requests=30000
    [ "${names[at]}" = mitmdump ] && requests=3000
    h2load -n "$requests" -c "$connections" -m "$streams" --connect-to="127.0.0.1:${ports[at]}" https://h2.example/f >load 2>&1
    grep -q "$requests succeeded" load || { echo "${names[at]}: $(grep -E 'requests:|status' load)"; continue; }
    echo "round $round ${names[at]}: $(sed -n 's/^finished in .*, \([0-9.]*\) req\/s.*/\1/p' load) requests/s, $(awk '/^time for request/ { print "mean", $6, "max", $5 }' load)"
  done
done
