#!/bin/sh
# Pinned Node: runs the bundled Node, if its bytes are among those that release/node-hashes.txt lists. npm puts that Node first
# on the PATH of every script, so a check in JavaScript would run on the very program that it checks.
# Where it is missing or another one, as before the first install and after a new version was pinned, the host's own Node runs
# the script: it installs what the lockfile says, then comes back here with --only, and no other Node will do.
set -eu
only=no
if [ "$1" = --only ]; then
  only=yes
  shift
fi
tools=$(dirname "$0")
node=$tools/../node_modules/.bin/node
hash=none
if [ -e "$node" ]; then
  if command -v sha256sum >/dev/null; then hash=$(sha256sum <"$node"); else hash=$(shasum -a 256 <"$node"); fi
fi
if grep -q "^${hash%% *}  " "$tools/release/node-hashes.txt"; then exec "$node" "$@"; fi
if [ $only = no ]; then
  PATH=$(printf %s "$PATH" | tr : '\n' | grep -v '/node_modules/\.bin$' | paste -s -d : -)
  exec node "$@"
fi
echo "node_modules/.bin/node is none of the programs in tools/release/node-hashes.txt, so it is not run: delete node_modules, then try again" >&2
exit 1
