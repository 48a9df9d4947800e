#!/usr/bin/env bash
# Fails when the table of flags in README.md is not what hack/update-flags.sh would write.
set -euo pipefail
cd "$(dirname "$0")/.."

copy=$(mktemp)
trap 'rm -f "$copy"' EXIT
cp README.md "$copy"
node_modules/.bin/tsx hack/flagTable.ts "$copy"
diff -u README.md "$copy" || {
  echo "the flags in README.md are out of date: run hack/update-flags.sh" >&2
  exit 1
}
