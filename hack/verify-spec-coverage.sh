#!/usr/bin/env bash
# Fails when docs/spec-coverage.md is not what hack/update-spec-coverage.sh would write, or a test cites no row.
set -euo pipefail
cd "$(dirname "$0")/.."

copy=$(mktemp)
trap 'rm -f "$copy"' EXIT
node_modules/.bin/tsx hack/specCoverage.ts "$copy"
diff -u docs/spec-coverage.md "$copy" || {
  echo "docs/spec-coverage.md is out of date: run hack/update-spec-coverage.sh" >&2
  exit 1
}
