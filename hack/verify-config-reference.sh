#!/usr/bin/env bash
# Fails when docs/reference/config-reference.md is not what hack/update-config-reference.sh would write.
set -euo pipefail
cd "$(dirname "$0")/.."

copy=$(mktemp)
trap 'rm -f "$copy"' EXIT
node_modules/.bin/tsx hack/reference/configReference.ts "$copy"
diff -u docs/reference/config-reference.md "$copy" || {
  echo "docs/reference/config-reference.md is out of date: run hack/update-config-reference.sh" >&2
  exit 1
}
