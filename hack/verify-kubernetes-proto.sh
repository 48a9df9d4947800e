#!/usr/bin/env bash
# Fails when apiserver/encoding/protobuf/descriptors/ is not what update-kubernetes-proto.sh writes.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v go > /dev/null; then
  echo 'skipped: the descriptors are made from Go types, and there is no go on the PATH'
  exit 0
fi
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
hack/update-kubernetes-proto.sh "$fresh"
diff -ru apiserver/encoding/protobuf/descriptors "$fresh" || {
  echo 'apiserver/encoding/protobuf/descriptors is out of date: run hack/update-kubernetes-proto.sh' >&2
  exit 1
}
