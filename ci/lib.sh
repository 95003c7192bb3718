# What the scripts in this folder share. Sourced, never run.
# shellcheck shell=bash

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Everything these scripts make is below the build folder.
target=${CARGO_TARGET_DIR:-target}
mkdir -p "$target"
target=$(cd "$target" && pwd)
export target

have() { command -v "$1" >/dev/null 2>&1; }

die() {
  printf 'error: %s\n' "$1" >&2
  shift
  for hint in "$@"; do printf 'hint: %s\n' "$hint" >&2; done
  exit 1
}

# step NAME COMMAND…: says what runs and how long it took.
step() {
  local name=$1 begin=$SECONDS
  shift
  printf '\n── %s\n' "$name"
  "$@" || die "\`$name\` failed" "it ran: $*"
  printf '── %s: ok (%s s)\n' "$name" "$((SECONDS - begin))"
}

linux_x64() { [ "$(uname -sm)" = 'Linux x86_64' ]; }
