#!/bin/sh
# Kaikei, an unpacked release: `./kaikei start` runs the server, `./kaikei --help` lists the other commands.
# Every file, the Node in bin/ among them, is compared with SHA256SUMS before anything runs: one changed byte, and the file is
# named and nothing is started. It needs sh and sha256sum (on macOS shasum), and nothing else of the machine.
set -eu
self=$0
[ ! -L "$self" ] || self=$(readlink -f "$self")
case $self in
*/*) folder=${self%/*} ;;
*) folder=. ;;
esac
folder=$(cd "$folder" && pwd)
if command -v sha256sum >/dev/null; then check='sha256sum -c --quiet --strict'; else check='shasum -a 256 -c --quiet --strict'; fi
if ! (cd "$folder" && $check SHA256SUMS) >&2; then
  echo "kaikei: this is not the release as it was built (see above), so nothing is run: unpack the release anew." >&2
  exit 2
fi
# A release is never a development server: whether the sandbox runs must be said aloud (SANDBOX=on).
NODE_ENV=production
export NODE_ENV
exec "$folder/bin/node" "$folder/tools/run/release-main.ts" "$@"
