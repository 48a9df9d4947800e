#!/usr/bin/env bash
# Fails if docs/reference/deviations.md differs from the output of hack/update-deviations.sh.
set -euo pipefail
cd "$(dirname "$0")/.."

copy=$(mktemp)
trap 'rm -f "$copy"' EXIT
node_modules/.bin/tsx hack/reference/deviationTable.ts "$copy"
diff -u docs/reference/deviations.md "$copy" || {
  echo "docs/reference/deviations.md is out of date: run hack/update-deviations.sh" >&2
  exit 1
}
