#!/usr/bin/env bash
# Writes docs/reference/config-reference.md from the schema of the platform's configuration.
set -euo pipefail
cd "$(dirname "$0")/.."
node_modules/.bin/tsx hack/reference/configReference.ts docs/reference/config-reference.md
