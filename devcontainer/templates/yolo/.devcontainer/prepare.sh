#!/bin/sh
# On your machine, before the container is made: places outside the workspace $1 for the policy and for the session's certificate.
# A policy that is there stays as it is, whatever the workspace says.
set -eu
policy=$HOME/.config/sallyport/devcontainer$1
mkdir -p "$policy" "$HOME/.local/state/sallyport/devcontainer$1"
[ -e "$policy/policy.yaml" ] || cp "$1/.devcontainer/policy.yaml" "$policy/policy.yaml"
