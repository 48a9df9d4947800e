#!/usr/bin/env bash
# Writes docs/spec-coverage.md: which tests prove which row of the specification.
set -euo pipefail
cd "$(dirname "$0")/.."
node_modules/.bin/tsx hack/specCoverage.ts docs/spec-coverage.md
