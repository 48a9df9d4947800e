#!/usr/bin/env bash
# Writes openapi/protobuf/openapiProto.ts from the message definitions that Kubernetes clients are built with.
# Usage: update-openapi-proto.sh [target]. Needs Go, whose module proxy the definitions come from.
set -euo pipefail
cd "$(dirname "$0")/.."

module=github.com/google/gnostic-models@v0.7.1
target=${1:-openapi/protobuf/openapiProto.ts}

directory=$(GOFLAGS=-mod=mod go mod download -json "$module" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')
node --import tsx hack/openapiProto.ts "$directory/openapiv2/OpenAPIv2.proto" > "$target"
