# Shared by the scripts of this folder: progress, and the name of what failed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

current="starting"
step() {
  current=$1
  printf '\n==> %s\n' "$current"
}
trap 'status=$?; [ $status -eq 0 ] || printf "\n%s: failed (exit %d) while: %s\n" "$(basename "$0")" "$status" "$current" >&2' EXIT

# Compiler cache, when there is one, makes a second run quick.
launcher=()
if command -v ccache >/dev/null; then launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi

configure_and_build() {  # PRESET [TARGET…]
  local preset=$1
  shift
  step "configure ($preset)"
  cmake --preset "$preset" "${launcher[@]}" >/tmp/sallyport-configure.$$ || { cat /tmp/sallyport-configure.$$; return 1; }
  rm -f /tmp/sallyport-configure.$$
  step "build ($preset)"
  cmake --build --preset "$preset" "${@/#/--target=}"
}
