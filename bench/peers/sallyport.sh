#!/bin/sh
# Sallyport as a CONNECT proxy: allowlist, SNI check, a hash-chained audit log in which every verdict stands before the first byte
# goes upstream. It looks the name up for each tunnel (in the hosts file).
#: mode = connect
#: env = SALLYPORT_BIN
#: version = "$SALLYPORT_BIN" --version
#: ready = line listening
{
  printf 'version: 1\nname: bench\negress:\n  - name: allowlist\n    ports: [%s]\n    inspect: sni\n    resolve: [127.0.0.1/32]\n    hosts:\n' "$ORIGIN_PORT"
  sed 's/^/      - /' "$ALLOWLIST"
} > "$WORK/policy.yaml"
export XDG_STATE_HOME="$WORK/state"
exec "$SALLYPORT_BIN" proxy --policy "$WORK/policy.yaml" --listen "127.0.0.1:$PORT" --max-connections 20000 --max-connections-per-client 20000 --audit "$LOG"
