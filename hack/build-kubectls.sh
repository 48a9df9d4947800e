#!/usr/bin/env bash
# Builds kubectl from its published Go modules, for versions that a machine does not have.
# Usage: build-kubectls.sh [DIRECTORY [1.34.13 ...]]; then make conformance ARGS='--clients kubectl'. Without a directory they go to
# the cache, where tests look; with one, it has to be on PATH: PATH=DIRECTORY:$PATH make conformance ...
# Needs Go; the first version takes some minutes.
set -euo pipefail

directory=${1:-${XDG_CACHE_HOME:-$HOME/.cache}/platform-apiserver/kubectl}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- 1.34.13 1.35.10 1.36.6 1.37.2
mkdir -p "$directory"
directory=$(cd "$directory" && pwd)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export GOFLAGS=-mod=mod GOWORK=off

cat > main.go << 'MAIN'
package main

import (
	_ "k8s.io/client-go/plugin/pkg/client/auth"
	"k8s.io/component-base/cli"
	"k8s.io/kubectl/pkg/cmd"
	"k8s.io/kubectl/pkg/cmd/util"
)

func main() {
	if err := cli.RunNoErrOutput(cmd.NewDefaultKubectlCommand()); err != nil {
		util.CheckErr(err)
	}
}
MAIN

for version in "$@"; do
  minor=$(cut -d. -f2 <<< "$version")
  # Built before; its version is asked for, since a patch release has the same name.
  if [ -x "$directory/kubectl.1.$minor" ] && "$directory/kubectl.1.$minor" version --client | grep -q "v$version\$"; then
    continue
  fi
  printf 'module kubectl\ngo 1.26.0\n' > go.mod
  rm -f go.sum
  for name in kubectl client-go component-base; do
    go mod edit -require "k8s.io/$name@v0.${version#1.}"
  done
  go mod tidy 2> tidy.log || { cat tidy.log >&2; exit 1; }
  package=k8s.io/component-base/version
  nice -n 19 go build -trimpath -ldflags "-X $package.gitVersion=v$version -X $package.gitMajor=1 -X $package.gitMinor=$minor" \
    -o kubectl .
  # One that is half written is never seen.
  cp kubectl "$directory/kubectl.new" && mv "$directory/kubectl.new" "$directory/kubectl.1.$minor"
  # The conformance tests look beside the one that PATH finds.
  ln -f "$directory/kubectl.1.$minor" "$directory/kubectl"
  echo "$directory/kubectl.1.$minor: $version"
done
