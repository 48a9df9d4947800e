#!/usr/bin/env bash
# Fails if docs/reference/config-reference.md differs from the output of hack/update-config-reference.sh.
set -euo pipefail
cd "$(dirname "$0")/.."

copy=$(mktemp)
trap 'rm -f "$copy"' EXIT
node_modules/.bin/tsx hack/reference/configReference.ts "$copy"
diff -u docs/reference/config-reference.md "$copy" || {
  echo "docs/reference/config-reference.md is out of date: run hack/update-config-reference.sh" >&2
  exit 1
}
