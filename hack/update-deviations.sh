#!/usr/bin/env bash
# Writes docs/reference/deviations.md from docs/reference/deviations.yaml.
set -euo pipefail
cd "$(dirname "$0")/.."
node_modules/.bin/tsx hack/reference/deviationTable.ts docs/reference/deviations.md
