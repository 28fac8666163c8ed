#!/bin/sh
# Runs while the image is built: installs the program, the agent's user, and what starts the guard.
# As root. Environment: the Feature's options in capitals.
set -eu
cd "$(dirname "$0")"
share=/usr/local/share/sallyport

fail() {
  echo "sallyport: $*" >&2
  exit 1
}

# This Feature's variables name files that the guard makes at the container's start. What is built before then, other Features too, finds
# what the image trusts in their place.
trust_the_images_authorities() {
  authorities=/etc/ssl/certs/ca-certificates.crt
  [ -r "$authorities" ] || return 0
  mkdir -p /run/sallyport
  cp "$authorities" /run/sallyport/ca-bundle.pem
  cp "$authorities" /run/sallyport/ca.pem
}

fetch_package() { # to $1
  [ -n "$PACKAGESHA256" ] || fail "option package needs packageSha256: whoever serves the address would decide what guards you"
  case $PACKAGE in https://*) ;; *) fail "option package is '$PACKAGE': expected an https address" ;; esac
  command -v curl >/dev/null || fail "option package needs curl in the image: put the sallyport_*.deb beside install.sh instead"
  curl --fail --silent --show-error --location --proto '=https' --output "$1" "$PACKAGE"
  echo "$PACKAGESHA256  $1" | sha256sum --check --quiet || fail "the package from $PACKAGE has another SHA-256 than packageSha256"
}

install_dependencies() {
  apt-get -qq update && apt-get -qq -y --no-install-recommends --fix-broken install
}

install_program() {
  package=$(find . -maxdepth 1 -name 'sallyport_*.deb' | sort | tail -n 1)
  if [ -n "$PACKAGE" ]; then
    package=/tmp/sallyport.deb
    fetch_package "$package"
  fi
  if [ -n "$package" ]; then
    echo "sallyport: installing $package"
    dpkg --install "$package" || install_dependencies || fail "$package cannot be installed: it is made for Debian 12 and later"
    rm -f /tmp/sallyport.deb
  fi
  command -v sallyport >/dev/null || fail "there is no package: put a sallyport_*.deb beside install.sh, or set the options package and packageSha256"
  installed=$(sallyport --version) || fail "the program does not run in this image: it needs glibc 2.36 or later"
  [ "$VERSION" = any ] || [ "$installed" = "sallyport $VERSION" ] || fail "$installed is installed, and option version is '$VERSION'"
}

install_scripts() {
  mkdir -p "$share"
  install -m 0755 entrypoint await "$share/"
  install -d -m 0700 "$AUDITDIR"
  printf '%s\n' "$POLICY" >"$share/policy"
  printf '%s\n' "$AUDITDIR" >"$share/audit_dir"
  printf '%s\n' "$GUARDOPTIONS" >"$share/guard_options"
}

trust_the_images_authorities
install_program
AGENT=$AGENT AGENTVERSION=$AGENTVERSION sh ./agent.sh
install_scripts
