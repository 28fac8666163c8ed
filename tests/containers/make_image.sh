#!/usr/bin/env bash
# Makes the image that the container tests use, once: a small Debian by debootstrap, with this machine's Node.js and npm copied in, so that
# no image registry is asked. As root. Prints the image's name.
set -euo pipefail

image=localhost/sallyport-test:3
podman image exists "$image" 2>/dev/null && { echo "$image"; exit 0; }

root=$(mktemp -d /var/tmp/sallyport-image.XXXXXX)
trap 'rm -rf "$root"' EXIT
debootstrap --variant=minbase --include=ca-certificates,curl,git,iproute2,libstdc++6,procps,python3-minimal,nftables,systemd-sysv,dbus bookworm "$root" \
  http://deb.debian.org/debian >"$root.log" 2>&1 || { tail -n 20 "$root.log" >&2; exit 1; }
rm -rf "$root.log" "$root"/var/cache/apt/* "$root"/var/lib/apt/lists/* "$root"/usr/share/{doc,man,locale}

cp "$(readlink -f "$(command -v node)")" "$root/usr/bin/node"
npm_home=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
mkdir -p "$root/usr/lib/node_modules"
cp -rL "$npm_home" "$root/usr/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/bin/npm"
cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"  # with what this machine trusts besides
chroot "$root" useradd --create-home --uid 1000 --shell /bin/bash agent
chroot "$root" node --version >/dev/null

tar -C "$root" -c . | podman import --change 'CMD ["/bin/bash"]' \
  --change 'ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt' - "$image" >/dev/null
echo "$image"
