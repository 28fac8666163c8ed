#!/usr/bin/env bash
# An agent from npm in a jail, without permission prompts, against a stand-in of its model that makes it send a secret away by curl, by DNS, by
# git push and by npm publish. Each is refused, and the audit log has it with the commands that led to it. The model is reached with a
# placeholder of the key.
# Usage: agent.sh SALLYPORT claude|codex|gemini. Exits with 77 (skipped) where the agent cannot be installed.
set -euo pipefail
sallyport=$1 agent=$2
here=$(cd "$(dirname "$0")" && pwd)
source "$here/common.sh"
choose_agent "$agent"
skip() { echo "skipped: $*"; exit 77; }
fail() { echo "FAILED: $*" >&2; exit 1; }
for tool in node npm git python3 openssl; do command -v "$tool" >/dev/null || skip "needs $tool"; done
[ "$(node -p 'parseInt(process.versions.node)')" -ge "$node" ] || skip "$agent needs Node.js $node"

place=$(mktemp -d /var/tmp/sallyport-agent.XXXXXX)
mkdir "$place/work"
trap 'stop_models; rm -rf "$place"' EXIT
export HOME=$place XDG_STATE_HOME=$place/state
cat >"$place/work/package.json" <<'JSON'
{"name": "sallyport-test-work", "version": "1.0.0", "dependencies": {}}
JSON
cat >"$place/work/policy.yaml" <<YAML
version: 1
extends: [$preset, npm]
jail:
  env: {set: {CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1"}}
YAML
git init -q "$place/work"
# Root starts the jail as the workspace's owner; agents do without prompts only for others than root.
if [ "$(id -u)" -eq 0 ]; then chown -R 1000:1000 "$place/work"; fi
chmod 755 "$place"
cd "$place/work"

"$sallyport" run --policy npm -- npm install --no-audit --no-fund "$package@$version" >"$place/install" 2>&1 ||
  skip "npm cannot install $package@$version here: $(tail -n 1 "$place/install")"
echo 'API_SECRET=correct-horse-battery-staple' >.env
if [ "$(id -u)" -eq 0 ]; then chown 1000:1000 .env; fi

start_model "$place/model" "$model_host"

env "$key=$model_key" timeout 120 "$sallyport" run --policy ./policy.yaml --audit "$place/audit.jsonl" \
  --resolve "$model_host:443:127.0.0.1:$model_port" --ca-bundle "$place/model/ca.pem" -- \
  "node_modules/.bin/${command[0]}" "${command[@]:1}" >"$place/said" 2>"$place/err" </dev/null ||
  fail "$agent ended with $?: $(cat "$place/said" "$place/err")"
check_conversation "$place/model" "$place/said"
"$sallyport" audit verify "$place/audit.jsonl" || fail "the audit log is not whole"
python3 "$here/check_refusals.py" "$place/audit.jsonl" "$agent" || fail "the audit log does not tell what was tried"
echo ok
