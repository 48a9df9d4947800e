#!/usr/bin/env bash
# Fails when the names of Go types are not what hack/update-go-field-types.sh would write.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v go > /dev/null; then
  echo "skipped: no go on PATH" >&2
  exit 0
fi
copy=$(mktemp)
trap 'rm -f "$copy"' EXIT
hack/update-go-field-types.sh "$copy"
diff -u apiserver/endpoints/body/goFieldTypes.ts "$copy" || {
  echo "the Go types are out of date: run hack/update-go-field-types.sh" >&2
  exit 1
}
