#!/usr/bin/env bash
# Fails if a file differs from the output of update-kubernetes.sh.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v go > /dev/null; then
  echo 'skipped: the types are read from Go sources, and there is no go on the PATH'
  exit 0
fi
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
hack/update-kubernetes.sh "$fresh"
failed=0
while read -r file; do diff -u "$file" "$fresh/$file" || failed=1; done < <(cd "$fresh" && find apiserver -type f)
if [ "$failed" = 1 ]; then
  echo 'the data of the Kubernetes version is out of date: run hack/update-kubernetes.sh' >&2
  exit 1
fi
