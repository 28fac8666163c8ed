#!/bin/sh
# Runs while the image is built: makes the agent's user, who cannot become root, and installs the agent.
# As root. Environment: AGENT, AGENTVERSION. The state of agents belongs below ~/.agent: a volume is mounted there.
set -eu
user=agent
home=/home/$user

fail() {
  echo "sallyport: $*" >&2
  exit 1
}

# The image's own user with uid 1000 (node, vscode), if it has one, becomes the agent's: the workspace belongs to that uid.
make_user() {
  if id "$user" >/dev/null 2>&1; then return; fi
  present=$(getent passwd 1000 | cut -d : -f 1)
  if [ -z "$present" ]; then
    useradd --create-home --home-dir "$home" --uid 1000 --user-group --shell /bin/bash "$user"
    return
  fi
  usermod --login "$user" --home "$home" --move-home "$present"
  if [ "$(id -gn "$user")" = "$present" ]; then groupmod --new-name "$user" "$present"; fi
}

# Groups that amount to root, and rules of sudo for the agent or for the name that its user had.
forbid_root() {
  for group in sudo wheel admin docker root; do
    if id -nG "$user" | tr ' ' '\n' | grep -qx "$group"; then gpasswd --delete "$user" "$group" >/dev/null; fi
  done
  if command -v sudo >/dev/null && setpriv --reuid "$user" --regid "$user" --init-groups sudo -n true 2>/dev/null; then
    fail "$user may use sudo in this image: remove the rule in /etc/sudoers or /etc/sudoers.d, or choose another image"
  fi
}

make_state_folders() {
  for folder in claude codex gemini; do mkdir -p "$home/.agent/$folder"; done
  ln -sfn .agent/gemini "$home/.gemini" # it has no variable for its folder
  chown -R "$user:" "$home/.agent"
  chown -h "$user:" "$home/.gemini"
}

install_agent() {
  case $AGENT in
    none) return ;;
    claude-code) package=@anthropic-ai/claude-code ;;
    codex) package=@openai/codex ;;
    gemini) package=@google/gemini-cli ;;
    *) fail "agent '$AGENT' is not known: none, claude-code, codex or gemini" ;;
  esac
  command -v npm >/dev/null || fail "agent '$AGENT' is installed with npm, which this image does not have: choose one with Node.js, or add \
the Feature ghcr.io/devcontainers/features/node"
  npm install --global --no-audit --no-fund "$package@$AGENTVERSION"
}

make_user
forbid_root
make_state_folders
install_agent
