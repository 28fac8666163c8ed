#!/bin/sh
# Runs in the container at each start: puts this session's certificate beside the system's, for programs that want one file.
set -eu
cat /etc/ssl/certs/ca-certificates.crt /etc/sallyport/ca/ca.pem >"$HOME/.ca-bundle.pem"
