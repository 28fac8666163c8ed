#!/bin/sh
# Sallyport with inspect: full: TLS ends in it, each request is decided: the allowlist, SNI and Host checks, the search for secrets, and a chained audit log.
#: mode = intercept
#: env = SALLYPORT_BIN
#: version = "$SALLYPORT_BIN" --version
#: ready = line listening
#: ca = $WORK/ca.pem
{
  printf 'version: 1\nname: bench\ndlp: {action: %s}\negress:\n  - name: allowlist\n    ports: [%s]\n    resolve: [127.0.0.1/32]\n    hosts:\n' "${DLP:-block}" "$ORIGIN_PORT"
  sed 's/^/      - /' "$ALLOWLIST"
} > "$WORK/policy.yaml"
export XDG_STATE_HOME="$WORK/state"
exec "$SALLYPORT_BIN" proxy --policy "$WORK/policy.yaml" --listen "127.0.0.1:$PORT" --audit "$LOG" \
  --ca-bundle "$TLS/ca.pem" --ca-out "$WORK/ca.pem"
