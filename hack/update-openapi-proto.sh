#!/usr/bin/env bash
# Writes openapi/protobuf/openapiV2Proto.ts and openapiV3Proto.ts from the message definitions that Kubernetes clients
# are built with. Usage: update-openapi-proto.sh [directory]. Needs Go, whose module proxy the definitions come from.
set -euo pipefail
cd "$(dirname "$0")/.."

module=github.com/google/gnostic-models@v0.7.1
target=${1:-openapi/protobuf}

source=$(GOFLAGS=-mod=mod go mod download -json "$module" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')
for version in 2 3; do
  node --import tsx hack/kubernetes/openapiProto.ts "v$version" "$source/openapiv$version/OpenAPIv$version.proto" \
    > "$target/openapiV${version}Proto.ts"
done
