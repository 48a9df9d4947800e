#!/usr/bin/env bash
# Writes docs/reference-coverage.md: which tests prove which section of the reference.
set -euo pipefail
cd "$(dirname "$0")/.."
node_modules/.bin/tsx hack/referenceCoverage.ts docs/reference-coverage.md
