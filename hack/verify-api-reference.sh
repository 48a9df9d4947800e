#!/usr/bin/env bash
# Fails if docs/reference/api-reference.md differs from the output of hack/update-api-reference.sh.
set -euo pipefail
cd "$(dirname "$0")/.."

copy=$(mktemp)
trap 'rm -f "$copy"' EXIT
node_modules/.bin/tsx hack/reference/apiReference.ts "$copy"
diff -u docs/reference/api-reference.md "$copy" || {
  echo "docs/reference/api-reference.md is out of date: run hack/update-api-reference.sh" >&2
  exit 1
}
