#!/usr/bin/env bash
# Fails when docs/deviations.md is not what hack/update-deviations.sh would write.
set -euo pipefail
cd "$(dirname "$0")/.."

copy=$(mktemp)
trap 'rm -f "$copy"' EXIT
node_modules/.bin/tsx hack/reference/deviationTable.ts "$copy"
diff -u docs/deviations.md "$copy" || {
  echo "docs/deviations.md is out of date: run hack/update-deviations.sh" >&2
  exit 1
}
