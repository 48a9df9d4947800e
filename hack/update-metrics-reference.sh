#!/usr/bin/env bash
# Writes docs/reference/metrics.md from the metrics of a server.
set -euo pipefail
cd "$(dirname "$0")/.."
node_modules/.bin/tsx hack/reference/metricsReference.ts docs/reference/metrics.md
