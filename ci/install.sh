#!/usr/bin/env bash
# Installs karat for the GitHub Action: the code of the action itself, or a published version.
#
#   ci/install.sh key   writes key= to $GITHUB_OUTPUT: the same for the same code, for a cache
#   ci/install.sh       installs, unless a cache brought it
#
#   KARAT_SOURCE   the folder of the action's code
#   KARAT_VERSION  a version on crates.io instead; empty: the code of the action
#   KARAT_ROOT     where to; $KARAT_ROOT/bin is put on the path of later steps
set -euo pipefail

if [ "${1:-}" = key ]; then
  cd "$KARAT_SOURCE"
  code=$(find Cargo.lock Cargo.toml crates -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -c 1-16)
  echo "key=${KARAT_VERSION:-$code}" >>"$GITHUB_OUTPUT"
  exit
fi
if ! "$KARAT_ROOT/bin/karat" --version 2>/dev/null; then
  if [ -n "${KARAT_VERSION:-}" ]; then
    cargo install karat --version "$KARAT_VERSION" --locked --root "$KARAT_ROOT"
  else
    cargo install --path "$KARAT_SOURCE/crates/karat" --locked --root "$KARAT_ROOT"
  fi
fi
echo "$KARAT_ROOT/bin" >>"$GITHUB_PATH"
