#!/usr/bin/env bash
# Writes docs/deviations.md from docs/deviations.yaml.
set -euo pipefail
cd "$(dirname "$0")/.."
node_modules/.bin/tsx hack/reference/deviationTable.ts docs/deviations.md
