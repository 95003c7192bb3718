#!/bin/sh
# Installs harness for the person who runs it: finds the right release, downloads and
# verifies it, puts it into a stable folder, and lets it register itself.
#
#   curl --proto '=https' --tlsv1.2 -LsSf https://github.com/harness-hooks/harness/releases/latest/download/install.sh | sh
#
# Everything is in `main`, which the last lines call: of a script that was cut off on its way
# nothing runs, for the brace is then missing. `ci/pack` fills in the four values below for each release.

# shellcheck disable=SC2016 # backquotes are a message's

set -u

RELEASE_VERSION='@version@'
RELEASE_KEY='@key@'
RELEASE_HASHES='@hashes@'
RELEASES='@releases@'

usage() {
  cat <<'END'
Installs harness for you alone, then puts its hooks into your agent's settings.

Usage: install.sh [OPTIONS]

Options:
  -y, --yes             don't ask; also answers yes to `harness install`
  -q, --quiet           say only what is wrong
      --version V       another release than this installer's (its signature is then required)
      --dir FOLDER      where the program goes [default: $XDG_BIN_HOME or ~/.local/bin]
      --no-modify-path  leave your shell's start files alone
      --no-install      only put the program there, don't run `harness install`
      --force           replace a newer harness, or what is no harness
      --uninstall       take the hooks out, then the program
  -h, --help            print this

Environment: HARNESS_VERSION, HARNESS_INSTALL_DIR, HARNESS_NO_MODIFY_PATH=1,
HARNESS_NO_INSTALL=1 are the same as the options; HARNESS_DOWNLOAD_URL is where releases are;
HARNESS_REQUIRE_SIGNATURE=1 goes on only with a signature that was checked. Proxies are taken
from https_proxy and no_proxy by curl or wget.

Exit codes: 0 installed, 1 installed but `harness install` was not done or not proven,
2 usage or refused, 3 could not (nothing was changed)
END
}

say() { [ "$quiet" = 1 ] || printf '%s\n' "$*"; }
warn() { printf 'warning: %s\n' "$*" >&2; }

# die CODE WHAT [HINT]
die() {
  printf 'error: %s\n' "$2" >&2
  [ -z "${3:-}" ] || printf 'hint: %s\n' "$3" >&2
  exit "$1"
}

have() { command -v "$1" >/dev/null 2>&1; }

need() {
  have "$1" || die 3 "\`$1\` is needed and not on the search path" "$2"
}

# The release for this machine.
triple() {
  os=$(uname -s)
  machine=$(uname -m)
  # A shell that a translated program started says x86_64 on every Mac.
  if [ "$os" = Darwin ] && [ "$machine" = x86_64 ] &&
    [ "$(sysctl -n sysctl.proc_translated 2>/dev/null)" = 1 ]; then
    machine=arm64
  fi
  case "$os $machine" in
    'Linux x86_64' | 'Linux amd64') echo x86_64-unknown-linux-musl ;;
    'Linux aarch64' | 'Linux arm64') echo aarch64-unknown-linux-musl ;;
    'Darwin x86_64') echo x86_64-apple-darwin ;;
    'Darwin arm64') echo aarch64-apple-darwin ;;
    MINGW* | MSYS* | CYGWIN*)
      die 2 'this installer is for Linux and macOS' 'on Windows: `irm …/install.ps1 | iex` in PowerShell'
      ;;
    *)
      die 3 "there is no release for $os on $machine" 'with Rust: `cargo install --locked harness`'
      ;;
  esac
}

# An address that what is downloaded can come from: encrypted, or this very machine.
must_be_safe() {
  case "$1" in
    # What stands before an @ is no host.
    *@*) die 2 "\`$1\` names a user" 'set HARNESS_DOWNLOAD_URL to an address without one' ;;
    https://*) ;;
    http://127.0.0.1:* | http://127.0.0.1/* | http://localhost:* | http://localhost/* | 'http://[::1]:'*) ;;
    *) die 2 "releases come over HTTPS only, and \`$1\` is not" 'set HARNESS_DOWNLOAD_URL to an address that begins with https://' ;;
  esac
}

# fetch URL FILE: 0 there, 1 not.
fetch() {
  only=https
  case "$1" in http://*) only='http' ;; esac
  if have curl; then
    curl --proto "=$only" --tlsv1.2 --fail --silent --show-error --location \
      --retry 2 --connect-timeout 20 --max-time 600 --output "$2" "$1" 2>"$scratch/why"
  elif have wget; then
    if [ "$only" = https ] && wget --help 2>&1 | grep -q https-only; then
      wget --https-only --no-verbose --tries=3 --timeout=20 --output-document="$2" "$1" 2>"$scratch/why"
    else
      wget -T 20 -O "$2" "$1" 2>"$scratch/why"
    fi
  else
    die 3 'neither `curl` nor `wget` is on the search path' 'install one of them and run this again'
  fi
}

hash_of() {
  if have sha256sum; then
    sha256sum "$1" | cut -d ' ' -f 1
  elif have shasum; then
    shasum -a 256 "$1" | cut -d ' ' -f 1
  elif have openssl; then
    openssl dgst -sha256 -r "$1" | cut -d ' ' -f 1
  fi
}

# Says how the archive was checked, or ends.
verify() {
  file="$scratch/$archive" want=''
  if [ "$version" = "$RELEASE_VERSION" ]; then
    want=$(printf '%s\n' "$RELEASE_HASHES" | sed -n "s/^\([0-9a-f]\{64\}\)  $archive\$/\1/p")
    [ -n "$want" ] || die 3 "this release has no $archive" 'with Rust: `cargo install --locked harness`'
    got=$(hash_of "$file")
    [ -n "$got" ] || die 3 'none of `sha256sum`, `shasum` and `openssl` is on the search path' 'install one of them and run this again'
    [ "$got" = "$want" ] || die 3 "$archive is not what it should be: its SHA-256 is $got, not $want" \
      'the download was cut or changed on its way; nothing was installed'
    checked='its SHA-256 is the one in this installer'
  fi
  if have minisign; then
    fetch "$from/$archive.minisig" "$file.minisig" ||
      die 3 "$from/$archive.minisig can't be fetched: $(cat "$scratch/why")" 'nothing was installed'
    # What is printed is the signed comment: it binds the archive to version and machine.
    signed=$(minisign -V -Q -P "$RELEASE_KEY" -m "$file" -x "$file.minisig" 2>"$scratch/why") ||
      die 3 "the signature of $archive is not this project's" 'nothing was installed; please tell us where it came from'
    [ "$signed" = "harness $version $archive" ] ||
      die 3 "$archive is signed as \`$signed\`, not as \`harness $version $archive\`" 'nothing was installed'
    checked="${checked:+$checked; }its signature was checked with minisign"
  elif [ -z "$want" ]; then
    die 3 "this installer knows the hashes of $RELEASE_VERSION only, and there is no \`minisign\` to check the signature of $version" \
      "install minisign, or take that release's own installer: $from/install.sh"
  elif [ "${HARNESS_REQUIRE_SIGNATURE:-}" = 1 ]; then
    die 3 'HARNESS_REQUIRE_SIGNATURE is set, and there is no `minisign` to check the signature with' 'install minisign and run this again'
  else
    checked="$checked; its signature was not checked, for there is no minisign here"
  fi
}

# newer A B: whether version A is newer than B.
newer() {
  [ "$1" != "$2" ] && [ "$(printf '%s\n%s\n' "$1" "$2" | sort -t . -k 1,1n -k 2,2n -k 3,3n | tail -n 1)" = "$1" ]
}

# The version of what is in the program's place; empty if nothing is, `?` if no harness.
there() {
  [ -e "$1" ] || return 0
  case "$("$1" --version 2>/dev/null </dev/null)" in
    'harness '*) "$1" --version </dev/null | sed -n '1s/^harness //p' ;;
    *) echo '?' ;;
  esac
}

on_path() { case ":$PATH:" in *":$1:"*) return 0 ;; *) return 1 ;; esac; }

# add_line FILE LINE: once, at the end.
add_line() {
  if [ -f "$1" ] && grep -qF "$2" "$1"; then return 0; fi
  if printf '\n# harness\n%s\n' "$2" 2>/dev/null >> "$1"; then
    say "your search path: added to $1"
  else
    warn "$1 can't be written; add this line yourself: $2"
  fi
}

modify_path() {
  on_path "$folder" && return 0
  # A single quote in a folder's name would end the word.
  case "$folder" in *[\'\"\$\`\\]*) warn "put $folder on your search path yourself"; return 0 ;; esac
  line="case \":\$PATH:\" in *\":$folder:\"*) ;; *) export PATH=\"$folder:\$PATH\" ;; esac"
  add_line "$HOME/.profile" "$line"
  for file in "$HOME/.bashrc" "$HOME/.bash_profile" "${ZDOTDIR:-$HOME}/.zshenv"; do
    [ -f "$file" ] && add_line "$file" "$line"
  done
  case "${SHELL:-}" in
    */zsh) add_line "${ZDOTDIR:-$HOME}/.zshenv" "$line" ;;
    */bash) add_line "$HOME/.bashrc" "$line" ;;
  esac
  fish="${XDG_CONFIG_HOME:-$HOME/.config}/fish"
  if [ -d "$fish" ]; then
    mkdir -p "$fish/conf.d" && add_line "$fish/conf.d/harness.fish" "fish_add_path --path \"$folder\""
  fi
  say "open a new terminal, or: export PATH=\"$folder:\$PATH\""
}

# The only place that the program is put: whole or not at all, and not before it has run.
place() {
  target="$folder/harness" staged="$folder/.harness.new.$$"
  staged_file=$staged
  if ! { cp "$scratch/harness" "$staged" && chmod 755 "$staged"; } 2>"$scratch/why"; then
    die 3 "$folder can't be written: $(cat "$scratch/why")" 'set HARNESS_INSTALL_DIR to a folder of yours'
  fi
  said=$("$staged" --version 2>"$scratch/why" </dev/null) ||
    die 3 "the program doesn't start in $folder: $(cat "$scratch/why")" 'is that file system mounted without leave to start programs (noexec)?'
  [ "$said" = "harness $version" ] || die 3 "the archive holds \`$said\`, not harness $version" 'nothing was installed'
  mv -f "$staged" "$target" 2>"$scratch/why" || die 3 "$target can't be replaced: $(cat "$scratch/why")" 'nothing was changed'
  staged_file=''
}

register() {
  code=0
  if [ "$no_install" = 1 ]; then
    say "next: $folder/harness install"
    return 0
  fi
  if [ "$yes" = 1 ]; then
    "$folder/harness" install --yes </dev/null || code=$?
  elif [ -t 1 ] && [ -t 2 ] && (: </dev/tty) 2>/dev/null; then
    # Standard input may be this very script.
    "$folder/harness" install </dev/tty || code=$?
  else
    say "nobody can be asked here; next: $folder/harness install"
    return 1
  fi
  [ "$code" = 0 ] || warn "harness is in $folder, and \`harness install\` ended with code $code"
  [ "$code" = 0 ]
}

uninstall() {
  target="$folder/harness"
  [ -e "$target" ] || die 2 "there is no $target" 'name its folder with --dir'
  [ "$(there "$target")" != '?' ] || die 2 "$target is no harness" 'nothing was changed'
  if [ "$yes" = 1 ]; then
    "$target" uninstall --yes </dev/null || die 3 'the hooks could not be taken out, so the program stays'
  else
    "$target" uninstall </dev/tty || die 3 'the hooks were not taken out, so the program stays'
  fi
  rm -f "$target" || die 3 "$target can't be removed"
  say "$target is gone; your policy and journal stay"
}

main() {
  quiet=0 yes=0 force=0 mode=install checked='' staged_file=''
  no_path=${HARNESS_NO_MODIFY_PATH:-0} no_install=${HARNESS_NO_INSTALL:-0}
  version=${HARNESS_VERSION:-} folder=${HARNESS_INSTALL_DIR:-}
  while [ $# -gt 0 ]; do
    case "$1" in
      -y | --yes) yes=1 ;;
      -q | --quiet) quiet=1 ;;
      --no-modify-path) no_path=1 ;;
      --no-install) no_install=1 ;;
      --force) force=1 ;;
      --uninstall) mode=uninstall ;;
      --version | --dir)
        [ $# -gt 1 ] || die 2 "\`$1\` needs a value" 'see --help'
        if [ "$1" = --dir ]; then folder=$2; else version=$2; fi
        shift
        ;;
      --version=*) version=${1#*=} ;;
      --dir=*) folder=${1#*=} ;;
      -h | --help)
        usage
        exit 0
        ;;
      *) die 2 "unknown option \`$1\`" 'see --help' ;;
    esac
    shift
  done
  [ -n "${HOME:-}" ] || die 3 'HOME is not set' 'set it to your home folder'
  folder=${folder:-${XDG_BIN_HOME:-$HOME/.local/bin}}
  case "$folder" in /*) ;; *) die 2 "\`$folder\` is not an absolute path" 'give the whole path' ;; esac
  if [ $mode = uninstall ]; then
    uninstall
    exit 0
  fi
  case "$RELEASE_VERSION" in
    @*) die 2 'this is the template of the installer' 'take the one of a release' ;;
  esac
  version=${version:-$RELEASE_VERSION}
  version=${version#v}
  case "$version" in
    '' | *[!0-9A-Za-z.+-]* | [!0-9]*) die 2 "\`$version\` is no version" 'such as 0.1.0' ;;
  esac
  for tool in uname tar mktemp sed sort cut; do need $tool 'it is part of every system; install it and run this again'; done
  scratch=$(mktemp -d 2>/dev/null) || die 3 'no temporary folder can be made' 'set TMPDIR to a folder that can be written'
  trap 'rm -rf "$scratch"; [ -z "$staged_file" ] || rm -f "$staged_file"' EXIT
  trap 'exit 130' INT TERM HUP

  archive=harness-$(triple).tar.gz || exit $?
  from=${HARNESS_DOWNLOAD_URL:-$RELEASES}
  must_be_safe "$from"
  from="${from%/}/download/v$version"

  # What can't end well is said before anything is downloaded.
  mkdir -p "$folder" 2>"$scratch/why" || die 3 "$folder can't be made: $(cat "$scratch/why")" 'set HARNESS_INSTALL_DIR to a folder of yours'
  [ -w "$folder" ] || die 3 "$folder can't be written" 'set HARNESS_INSTALL_DIR to a folder of yours'
  [ ! -d "$folder/harness" ] || die 3 "$folder/harness is a folder" 'set HARNESS_INSTALL_DIR to another one'
  old=$(there "$folder/harness")
  if [ "$force" = 0 ]; then
    [ "$old" != '?' ] || die 2 "$folder/harness is another program" '--force replaces it'
    if [ -n "$old" ] && newer "$old" "$version"; then
      die 2 "harness $old is there, which is newer than $version" '--force replaces it'
    fi
  fi

  say "harness $version for ${archive#harness-} from $from"
  fetch "$from/$archive" "$scratch/$archive" ||
    die 3 "$from/$archive can't be fetched: $(cat "$scratch/why")" 'is the network there, and a proxy set (https_proxy)? is that a release?'
  verify
  say "verified: $checked"
  tar -xzf "$scratch/$archive" -C "$scratch" harness 2>"$scratch/why" ||
    die 3 "$archive holds no harness: $(cat "$scratch/why")" 'nothing was installed'
  place
  case "$old" in
    '') say "harness $version is in $folder" ;;
    *) say "harness $version is in $folder, where $old was" ;;
  esac
  [ "$no_path" = 1 ] || modify_path
  first=$(command -v harness 2>/dev/null || :)
  case "$first" in
    '' | "$folder/harness") ;;
    *) warn "another harness comes first on your search path: $first" ;;
  esac
  register
}

{
  main "$@"
}
