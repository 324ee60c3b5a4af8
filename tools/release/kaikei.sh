#!/bin/sh
# Kaikei, an unpacked release: `./kaikei start` runs the server, `./kaikei --help` lists all commands.
# Every file, the Node in bin/ among them, is compared with SHA256SUMS before anything runs: one changed byte, and the file is
# named and nothing is started. It needs sh and sha256sum (on macOS shasum), and the libraries that Node is linked with.
set -eu
self=$0
[ ! -L "$self" ] || self=$(readlink -f "$self")
case $self in
*/*) folder=${self%/*} ;;
*) folder=. ;;
esac
# With CDPATH set, cd would look for the folder elsewhere first.
folder=$(CDPATH='' cd -- "$folder" && pwd -P)
refuse() {
  echo "kaikei: $1" >&2
  exit 2
}
if command -v sha256sum >/dev/null; then
  check='sha256sum -c --quiet --strict'
elif command -v shasum >/dev/null; then
  check='shasum -a 256 -c --quiet --strict'
else
  refuse 'sha256sum is not there, so nothing can be compared and nothing is run: install coreutils.'
fi
(cd "$folder" && $check SHA256SUMS) >&2 ||
  refuse 'this is not the release as it was built (see above), so nothing is run: unpack the release anew.'
# The right bytes behind a link would do, but Node takes what they import from where the link leads to. These are the first to
# run; they look for links among the rest.
for path in bin bin/node tools tools/run tools/run/release-main.ts tools/run/unlisted-files.ts; do
  [ ! -L "$folder/$path" ] || refuse "$path is a link, so nothing is run: unpack the release anew."
done
# A release is never a development server: whether the sandbox runs must be said aloud (SANDBOX=on).
NODE_ENV=production
export NODE_ENV
exec "$folder/bin/node" "$folder/tools/run/release-main.ts" "$@"
