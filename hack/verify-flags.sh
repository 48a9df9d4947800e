#!/usr/bin/env bash
# Fails if the table of flags in docs/reference/flags.md differs from the output of hack/update-flags.sh.
set -euo pipefail
cd "$(dirname "$0")/.."

copy=$(mktemp)
trap 'rm -f "$copy"' EXIT
cp docs/reference/flags.md "$copy"
node_modules/.bin/tsx hack/reference/flagTable.ts "$copy"
diff -u docs/reference/flags.md "$copy" || {
  echo "the flags in docs/reference/flags.md are out of date: run hack/update-flags.sh" >&2
  exit 1
}
