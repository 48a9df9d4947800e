#!/usr/bin/env bash
# Fails when apiserver/apis/kubernetes/generated/ is not what update-kubernetes-types.sh writes.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v go > /dev/null; then
  echo 'skipped: the types are read from Go sources, and there is no go on the PATH'
  exit 0
fi
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
hack/update-kubernetes-types.sh "$fresh"
diff -ru apiserver/apis/kubernetes/generated "$fresh" || {
  echo 'apiserver/apis/kubernetes/generated is out of date: run hack/update-kubernetes-types.sh' >&2
  exit 1
}
