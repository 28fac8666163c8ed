#!/bin/sh
# Sallyport for clients that speak TLS to it and send no CONNECT: allowlist by SNI, three records a tunnel in a hash-chained audit
# log. The server's address is given, as HAProxy resolves it once.
#: mode = transparent
#: env = SALLYPORT_BIN
#: version = "$SALLYPORT_BIN" --version
#: ready = line listening
#: note = upstream pinned; no lookup per connection
{
  printf 'version: 1\nname: bench\negress:\n  - name: allowlist\n    inspect: sni\n    resolve: [127.0.0.1/32]\n    hosts:\n'
  sed 's/^/      - /' "$ALLOWLIST"
} > "$WORK/policy.yaml"
export XDG_STATE_HOME="$WORK/state"
exec "$SALLYPORT_BIN" proxy --policy "$WORK/policy.yaml" --listen-tls "127.0.0.1:$PORT" --max-connections 20000 --max-connections-per-client 20000 --resolve "$ORIGIN_HOST:443:127.0.0.1:$ORIGIN_PORT" --audit "$LOG"
