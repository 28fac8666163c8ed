#!/bin/sh
# Runs on your machine before the container is made: makes places outside the workspace for the policy and the session's certificate.
# Argument: the workspace. A policy that is there stays as it is, whatever the workspace says.
set -eu
policy=$HOME/.config/sallyport/devcontainer$1
mkdir -p "$policy" "$HOME/.local/state/sallyport/devcontainer$1"
[ -e "$policy/policy.yaml" ] || cp "$1/.devcontainer/policy.yaml" "$policy/policy.yaml"
