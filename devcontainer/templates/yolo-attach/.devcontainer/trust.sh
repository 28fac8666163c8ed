#!/bin/sh
# In the container, as the agent, at each start: the certificate of this session beside the system's, for programs that want one file.
set -eu
cat /etc/ssl/certs/ca-certificates.crt /etc/sallyport/ca/ca.pem >"$HOME/.ca-bundle.pem"
