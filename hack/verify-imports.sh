#!/usr/bin/env bash
# The import rules of ARCHITECTURE.md. dependency-cruiser also succeeds if it could parse no file at all, for example
# with an unknown version of TypeScript, so that counts as a failure here.
set -euo pipefail
cd "$(dirname "$0")/.."

folders=()
for folder in apiserver cli openapi syncer console hack test; do
  [ -d "$folder" ] && folders+=("$folder")
done
report=$(node_modules/.bin/depcruise --config .dependency-cruiser.cjs "${folders[@]}") || {
  echo "$report"
  exit 1
}
echo "$report"
modules=$(grep -oE '\(?[0-9]+ modules' <<<"$report" | grep -oE '[0-9]+' || echo 0)
if [ "$modules" -lt 10 ]; then
  echo "dependency-cruiser saw only $modules modules: it checked nothing" >&2
  exit 1
fi
