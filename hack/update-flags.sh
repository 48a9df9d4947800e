#!/usr/bin/env bash
# Writes the table of flags in docs/reference/flags.md from apiserver/command/config/settings.ts.
set -euo pipefail
cd "$(dirname "$0")/.."
node_modules/.bin/tsx hack/reference/flagTable.ts docs/reference/flags.md
