#!/usr/bin/env bash
# Fails when openapi/protobuf/openapiProto.ts is not what update-openapi-proto.sh writes.
set -euo pipefail
cd "$(dirname "$0")/.."

fresh=$(mktemp)
trap 'rm -f "$fresh"' EXIT
hack/update-openapi-proto.sh "$fresh"
diff -u openapi/protobuf/openapiProto.ts "$fresh" || {
  echo 'openapi/protobuf/openapiProto.ts is out of date: run hack/update-openapi-proto.sh' >&2
  exit 1
}
