#!/usr/bin/env bash
# Writes docs/reference/api-reference.md from the OpenAPI document of a server.
set -euo pipefail
cd "$(dirname "$0")/.."
node_modules/.bin/tsx hack/reference/apiReference.ts docs/reference/api-reference.md
