#!/usr/bin/env bash
# Fails if docs/reference/metrics.md differs from the output of hack/update-metrics-reference.sh.
set -euo pipefail
cd "$(dirname "$0")/.."

copy=$(mktemp)
trap 'rm -f "$copy"' EXIT
node_modules/.bin/tsx hack/reference/metricsReference.ts "$copy"
diff -u docs/reference/metrics.md "$copy" || {
  echo "docs/reference/metrics.md is out of date: run hack/update-metrics-reference.sh" >&2
  exit 1
}
