#!/usr/bin/env bash
# Fails if the modules differ from the output of update-openapi-proto.sh.
set -euo pipefail
cd "$(dirname "$0")/.."

fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
hack/update-openapi-proto.sh "$fresh"
for file in openapiV2Proto.ts openapiV3Proto.ts; do
  diff -u "openapi/protobuf/$file" "$fresh/$file" || {
    echo "openapi/protobuf/$file is out of date: run hack/update-openapi-proto.sh" >&2
    exit 1
  }
done
