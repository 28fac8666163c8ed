#!/bin/sh
# sallyport-intercept.sh without the search for secrets.
#: mode = intercept
#: env = SALLYPORT_BIN
#: version = "$SALLYPORT_BIN" --version
#: ready = line listening
#: ca = $WORK/ca.pem
DLP=off
. "$PEERS/sallyport-intercept.sh"
