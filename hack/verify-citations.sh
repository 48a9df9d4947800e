#!/usr/bin/env bash
# Fails when a source cites a section that docs/reference/ does not have.
set -euo pipefail
cd "$(dirname "$0")/.."
node_modules/.bin/tsx hack/coverage/citations.ts
