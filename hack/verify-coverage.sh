#!/usr/bin/env bash
# Fails when a row of the specification or a section of the reference has no test, or a test cites one that does not exist.
# With a folder, leaves the tables there: spec-coverage.md and reference-coverage.md.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=${1:-}
if [ -z "$folder" ]; then
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
fi
mkdir -p "$folder"
node_modules/.bin/tsx hack/coverage/specCoverage.ts "$folder/spec-coverage.md"
node_modules/.bin/tsx hack/coverage/referenceCoverage.ts "$folder/reference-coverage.md"
