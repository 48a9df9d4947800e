#!/usr/bin/env bash
# Fails when docs/reference-coverage.md is not what hack/update-reference-coverage.sh would write, or a section of the reference has no test.
set -euo pipefail
cd "$(dirname "$0")/.."

copy=$(mktemp)
trap 'rm -f "$copy"' EXIT
node_modules/.bin/tsx hack/referenceCoverage.ts "$copy"
diff -u docs/reference-coverage.md "$copy" || {
  echo "docs/reference-coverage.md is out of date: run hack/update-reference-coverage.sh" >&2
  exit 1
}
