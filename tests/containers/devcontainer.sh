#!/usr/bin/env bash
# `sallyport init`, then real Dev Containers by the Dev Containers CLI with Podman: both variants, from inside and outside, with an agent in
# each that its model makes send a secret away. As root.
# Usage: devcontainer.sh SALLYPORT BUILD_DIR HOOK_FILE. Exits with 77 (skipped) where the CLI or Podman cannot run.
set -euo pipefail
sallyport=$1 build=$2 hook_file=$3
here=$(cd "$(dirname "$0")" && pwd)
source "$here/../agents/common.sh"
skip() { echo "skipped: $*"; exit 77; }
[ "$(id -u)" -eq 0 ] || skip "needs root"
for tool in podman runc python3 openssl debootstrap slirp4netns npm dpkg-deb; do command -v "$tool" >/dev/null || skip "needs $tool"; done

image=$("$here/make_image.sh") || skip "no image: debootstrap or podman import does not work here"
place=$(mktemp -d /var/tmp/sallyport-devcontainer.XXXXXX)
container_of() { podman ps -aq --filter "label=devcontainer.local_folder=$place/$1"; }
remove() { # a project's container, with its volumes and images
  local id names image
  id=$(container_of "$1")
  [ -n "$id" ] || return 0
  names=$(podman inspect -f '{{range .Mounts}}{{if eq .Type "volume"}}{{.Name}} {{end}}{{end}}' "$id")
  image=$(podman inspect -f '{{.ImageName}}' "$id")
  podman rm -f -t 0 "$id" >/dev/null
  podman volume rm $names >/dev/null
  podman rmi "$image" >/dev/null
}
cleanup() {
  stop_models
  remove guard || true
  remove attach || true
  podman rmi -f localhost/dev_container_feature_content_temp >/dev/null 2>&1 || true
  rm -rf "$place"
}
trap cleanup EXIT
fail() { echo "FAILED: $*" >&2; exit 1; }

npm install --silent --no-audit --no-fund --prefix "$place/cli" --global @devcontainers/cli@0 || skip "npm cannot install @devcontainers/cli"
export PATH=$place/cli/bin:$PATH HOME=$place/home
mkdir -p "$HOME" "$place/hooks"
sed -e "s|/usr/bin/sallyport|$sallyport|" "$hook_file" >"$place/hooks/50-sallyport.json"
cat >"$place/containers.conf" <<CONF
[containers]
default_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]
netns = "slirp4netns"
[engine]
runtime = "runc"
network_cmd_options = ["allow_host_loopback=true"]
hooks_dir = ["$place/hooks"]
CONF
export CONTAINERS_CONF=$place/containers.conf BUILDAH_ISOLATION=chroot BUILDAH_LAYERS=false
podman run --rm "$image" true || skip "podman cannot run a container with a network here"

make_package() {
  DESTDIR=$place/package cmake --install "$build" --prefix /usr >/dev/null
  mkdir "$place/package/DEBIAN"
  printf 'Package: sallyport\nVersion: 0\nArchitecture: %s\nMaintainer: test\nDescription: of the build tree\n' \
    "$(dpkg --print-architecture)" >"$place/package/DEBIAN/control"
  dpkg-deb -Zgzip -z1 --build "$place/package" "$place/sallyport_0_test.deb" >/dev/null
}

project() { # VARIANT OPTION…: a project as a user has it, owned by the agent's uid
  mkdir "$place/$1"
  echo '{"name": "project", "version": "1.0.0"}' >"$place/$1/package.json"
  "$sallyport" init --workspace "$place/$1" --variant "$1" --yes --agent "$preset" --image "$image" "${@:2}" >"$place/$1.init"
  cp "$here/devcontainer_inside.sh" "$place/$1/"
  echo 'API_SECRET=correct-horse-battery-staple' >"$place/$1/.env"
  chown -R 1000:1000 "$place/$1"
}
up() {
  devcontainer up --docker-path podman --update-remote-user-uid-default never --workspace-folder "$place/$1" >"$place/$1.log" 2>&1 ||
    fail "$1: $(tail -n 30 "$place/$1.log")"
}
inside() { devcontainer exec --docker-path podman --workspace-folder "$place/$1" "${@:2}"; }
as_root_inside() { podman exec -u root "$(container_of "$1")" "${@:2}"; }
credential() { # FILE SPOT: adds the model's key, which lies outside, to what a policy has
  printf 'credentials:\n  - {name: MODEL_KEY, from: {file: "%s"}, hosts: [%s], %s}\n' "$1" "$model_host" "$2"
}
agent_in() { # VARIANT: choose_agent's, as the container's user, without prompts, with a placeholder of its key
  inside "$1" git init -q . || fail "$1: no git"
  inside "$1" env "$key=$placeholder" CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 timeout 120 "${command[@]}" >"$place/$1.said" 2>&1 </dev/null ||
    fail "$1: ${command[0]} ended with $?: $(cat "$place/$1.said")"
  check_conversation "$place/$1.model" "$place/$1.said"
}
host_state() { nft list ruleset; ip -o route show table all; ip -o -6 route show table all; ip -o link | cut -d: -f2; }

echo "== the agent's user: new, made of the image's own, and none who may use sudo"
in_image() { podman run --rm --network none -v "$here/../../devcontainer/src/sallyport:/feature:ro" "$image" sh -euc "$1"; }
make_agent='AGENT=none AGENTVERSION=latest sh /feature/agent.sh'
is_ready='[ "$(id -u agent)" = 1000 ]; [ -d /home/agent/.agent/claude ]; [ "$(stat -c %U /home/agent/.agent)" = agent ]'
in_image "userdel -r agent 2>/dev/null; $make_agent; $is_ready" || fail "no new user"
in_image "usermod -l node -d /home/node -m agent; groupmod -n node agent; $make_agent; $is_ready; ! id node 2>/dev/null" || fail "the image's user is left"
in_image "gpasswd -a agent sudo >/dev/null; $make_agent; ! id -nG agent | grep -qw sudo" || fail "the agent is in the group sudo"
in_image "ln -s /bin/true /usr/bin/sudo; ! $make_agent 2>/dev/null" || fail "the agent may use sudo"

make_package
before=$(host_state)

echo "== guard: the program inside the container"
choose_agent claude
start_model "$place/guard.model" "$model_host"
project guard --package "$place/sallyport_0_test.deb"
outside=$HOME/.config/sallyport/devcontainer$place/guard
mkdir -p "$outside"
cp "$place/guard.model/ca.pem" "$outside/model.pem"
(umask 077 && echo "$model_key" >"$outside/key") # root's
credential /etc/sallyport/policy/key 'header: x-api-key' >>"$place/guard/.devcontainer/policy.yaml"
slirp_host=10.0.2.2 # this machine, from a container with that network
options="--resolve $model_host:443:$slirp_host:$model_port --ca-bundle /etc/sallyport/policy/model.pem --placeholder MODEL_KEY=$placeholder"
sed -i "s|\(\"agent\": \"$preset\"\)|\1, \"agentVersion\": \"$version\", \"guardOptions\": \"$options\"|" \
  "$place/guard/.devcontainer/devcontainer.json"
# The Dev Containers CLI asks Podman for a user namespace that Podman as root does not have.
sed -i 's|"containerUser"|"runArgs": ["--userns=host"],\n  "containerUser"|' "$place/guard/.devcontainer/devcontainer.json"
up guard
inside guard bash devcontainer_inside.sh || fail "guard: the container's part ended with $?"
agent_in guard
inside guard cat /etc/sallyport/policy/key 2>/dev/null && fail "guard: the agent reads the key"
inside guard ls /var/log/sallyport 2>/dev/null && fail "guard: the agent reads the audit log"
as_root_inside guard sh -c 'sallyport audit verify --live /var/log/sallyport/*.jsonl' || fail "guard: the audit log is not whole"
as_root_inside guard sh -c 'cat /var/log/sallyport/*.jsonl' >"$place/guard.jsonl"
python3 "$here/../agents/check_refusals.py" "$place/guard.jsonl" || fail "guard: the audit log does not tell what the agent tried"

echo "== attach: the program outside"
choose_agent codex
start_model "$place/attach.model" "$model_host"
project attach
sed -i -e "s|\"AGENT\": \"$preset\"|&, \"AGENTVERSION\": \"$version\"|" \
  -e "s|\"--cap-drop=ALL\"|&, \"--annotation=io.sallyport.placeholders=MODEL_KEY=$placeholder\"|" "$place/attach/.devcontainer/devcontainer.json"
echo "$model_key" >"$place/attach.key"
credential "$place/attach.key" 'authorization: "Bearer {}"' >>"$place/attach/.devcontainer/policy.yaml"
options="\"--audit\", \"$place/attach.jsonl\", \"--resolve\", \"$model_host:443:127.0.0.1:$model_port\", \"--ca-bundle\", \"$place/attach.model/ca.pem\""
sed -i "s|\"oci-hook\"|&, $options|" "$place/hooks/50-sallyport.json"
up attach
inside attach bash devcontainer_inside.sh || fail "attach: the container's part ended with $?"
agent_in attach
python3 "$here/../agents/check_refusals.py" "$place/attach.jsonl" codex || fail "attach: the audit log does not tell what the agent tried"

grep -q '"host":"registry.npmjs.org".*"exe":"/usr/bin/node"' "$place/attach.jsonl" || fail "attach: no process in the records"
for variant in guard attach; do
  grep -q '"host":"registry.npmjs.org".*"verdict":"allow"' "$place/$variant.jsonl" || fail "$variant: no record of the install"
  grep -q '"reason":"ip_literal"' "$place/$variant.jsonl" || fail "$variant: the address that was dialled is not in the log"
  grep -q '"name":"example.com"' "$place/$variant.jsonl" || fail "$variant: the question for a forbidden name is not in the log"
  cmp -s "$place/$variant/.devcontainer/policy.yaml" "$HOME/.config/sallyport/devcontainer$place/$variant/policy.yaml" ||
    fail "$variant: the policy is not outside the workspace"
done

echo "== a policy that is wrong: the container does not stay, or has no network"
echo 'version: 2' >"$HOME/.config/sallyport/devcontainer$place/guard/policy.yaml"
guard=$(container_of guard)
podman stop -t 2 "$guard" >/dev/null 2>&1
podman start "$guard" >/dev/null
for _ in $(seq 100); do [ "$(podman inspect -f '{{.State.Running}}' "$guard")" = false ] && break; sleep 0.1; done
[ "$(podman inspect -f '{{.State.Running}}' "$guard")" = false ] || fail "guard: the container stays with a broken policy"
podman logs "$guard" >"$place/said" 2>&1
grep -q 'policy.yaml:1:' "$place/said" || fail "guard: no reason in the container's log: $(cat "$place/said")"

remove guard
remove attach
after=$(host_state)
[ "$before" = "$after" ] || fail "the host's rules, routes or devices have changed"
echo ok
