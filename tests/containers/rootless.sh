#!/usr/bin/env bash
# Podman without root: `attach`, and the OCI hook, as an ordinary user. As root, for the image; everything else as a user with subordinate ids.
# Usage: rootless.sh SALLYPORT HOOK_FILE. Exits with 77 (skipped) where that cannot run.
set -euo pipefail
sallyport=$1 hook_file=$2
skip() { echo "skipped: $*"; exit 77; }
fail() { echo "FAILED: $*" >&2; exit 1; }
[ "$(id -u)" -eq 0 ] || skip "needs root, to make the image"
for tool in podman runc debootstrap newuidmap slirp4netns; do command -v "$tool" >/dev/null || skip "needs $tool"; done
user=$(cut -d: -f1 /etc/subuid | while read -r name; do [ "$(id -u "$name" 2>/dev/null || echo 0)" -eq 0 ] || { echo "$name"; break; }; done)
[ -n "$user" ] || skip "no user has an entry in /etc/subuid"
image=$("$(dirname "$0")/make_image.sh") || skip "no image: debootstrap or podman import does not work here"

place=$(mktemp -d /var/tmp/sallyport-rootless.XXXXXX)
trap 'as_user podman rm -a -f -t 0 >/dev/null 2>&1 || true; rm -rf "$place"' EXIT
mkdir -p "$place"/{home,run,ca,hooks,bin}
podman save -q "$image" -o "$place/image.tar" >/dev/null
cp "$sallyport" "$place/bin/"  # where the user can run it
cp -rL "$(dirname "$sallyport")/../share" "$place/"
sed "s|/usr/bin/sallyport|$place/bin/sallyport|" "$hook_file" >"$place/hooks/50-sallyport.json"
chown -R "$user:" "$place"
as_user() {
  cd "$place" && runuser -u "$user" -- env -i PATH="$PATH" HOME="$place/home" XDG_RUNTIME_DIR="$place/run" "$@"
}
engine() { as_user podman --runtime runc --cgroup-manager cgroupfs --hooks-dir "$place/hooks" "$@"; }
logs() { as_user "$place/bin/sallyport" audit list --json | sed -n 's/.*"file":"\([^"]*\)".*/\1/p'; }
engine load -q -i "$place/image.tar" >/dev/null 2>&1 || skip "podman cannot load an image as $user"
quiet=(--network none --ulimit nofile=4096:4096 --ulimit nproc=4096:4096)
engine run --rm "${quiet[@]}" "$image" true || skip "podman cannot run a container as $user, also without a hook"
trusts=(-v "$place/ca:/ca:ro" -e NODE_EXTRA_CA_CERTS=/ca/ca.pem)
try='cd /root && npm install --no-audit --no-fund express >/dev/null && test -d node_modules/express || exit 11
  curl -sS -m 5 https://example.com && exit 12
  curl -sS -m 5 https://1.1.1.1 && exit 13
  exit 0'

echo "== attach"
engine run -d --name attached "${quiet[@]}" "${trusts[@]}" "$image" sleep 300 >/dev/null
as_user "$place/bin/sallyport" attach --detach --policy npm --ca-out "$place/ca/ca.pem" --pid "$(engine inspect -f '{{.State.Pid}}' attached)" >/dev/null ||
  fail "attach ended with $?"
engine exec attached sh -c "$try" || fail "in the container: $?"
engine rm -f -t 0 attached >/dev/null

echo "== the hook"
engine run --rm --name hooked "${quiet[@]}" "${trusts[@]}" --annotation io.sallyport.policy=npm --annotation "io.sallyport.ca-out=$place/ca/ca.pem" \
  "$image" sh -c "$try" || fail "in the container: $?"
if engine run --rm --name refused "${quiet[@]}" --annotation io.sallyport.policy=/nowhere.yaml "$image" true 2>"$place/err"; then
  fail "it started with a policy that is not there"
fi
grep -q '/nowhere.yaml' "$place/err" || fail "no reason: $(cat "$place/err")"

echo "== both logs are the user's own, and whole"
for _ in $(seq 100); do [ "$(logs | xargs -r grep -l '"cause":"container_ended"' | wc -l)" -eq 2 ] && break; sleep 0.1; done
[ "$(logs | wc -l)" -eq 2 ] || fail "there are other logs than two: $(logs)"
for log in $(logs); do
  as_user "$place/bin/sallyport" audit verify "$log" || fail "$log is not whole"
  grep -q '"cause":"container_ended"' "$log" || fail "$log has no end"
  grep -q '"host":"registry.npmjs.org".*"exe":"/usr/bin/node"' "$log" || fail "$log names no process"
  grep -q '"reason":"ip_literal"' "$log" || fail "$log does not have the address that was dialled"
done
echo ok
