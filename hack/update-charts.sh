#!/usr/bin/env bash
# Draws the charts of docs/reference/benchmarks.md from its tables.
set -euo pipefail
cd "$(dirname "$0")/.."
node_modules/.bin/tsx hack/docs/charts.ts
