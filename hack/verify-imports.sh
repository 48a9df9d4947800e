#!/usr/bin/env bash
# The import rules of ARCHITECTURE.md. dependency-cruiser ends with success also when it understood no file at all, as
# with a TypeScript it does not know, so that counts as a failure here.
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
