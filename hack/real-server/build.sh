#!/usr/bin/env bash
# Builds the real kube-apiserver and etcd from their published Go modules, once for each version and machine, and prints the
# folder that holds them. Needs Go; the first build takes some five minutes of two cores.
# `build.sh PROGRAM…` builds those programs alone: etcd, kube-apiserver, kube-controller-manager, kube-scheduler, sample-apiserver,
# metrics-server, kwok, and the public end-to-end suite (e2e.test) with its runner (ginkgo). `build.sh --paths PROGRAM…` prints the
# path of each instead of the folder.
# Exits with 3 if the machine has no Go: comparisons are skipped then.
set -euo pipefail
cd "$(dirname "$0")/../.."

kubernetes=$(< hack/kubernetes-version)
etcd=$(< hack/real-server/etcd-version)
folder=${XDG_CACHE_HOME:-$HOME/.cache}/platform-apiserver/real-server
mkdir -p "$folder"

# module_file PROGRAM VERSION: the go.mod that pins the program's module.
module_file() {
  printf 'module %s\n\ngo 1.26.0\n\n' "$1"
  case $1 in
    etcd) echo "require go.etcd.io/etcd/server/v3 $2" ;;
    kube-* | e2e.test)
      echo "require k8s.io/kubernetes $2"
      # The module asks for its siblings at v0.0.0; the release has the same number below v0.
      go mod download -json "k8s.io/kubernetes@$2" | sed -n 's/^\t"GoMod": "\(.*\)",$/\1/p' | xargs cat |
        sed -nE "s#^\s+(k8s\.io/[a-z0-9.-]+) v0\.0\.0\$#replace \1 => \1 v0.${2#v1.}#p" | sort -u ;;
  esac
}

# main_file PROGRAM: the program around the module's exported command.
main_file() {
  case $1 in
    etcd) printf '%s\n' 'package main' 'import (' '"os"' '"go.etcd.io/etcd/server/v3/etcdmain"' ')' \
      'func main() { etcdmain.Main(os.Args) }' ;;
    kube-apiserver) kubernetes_main kube-apiserver NewAPIServerCommand ;;
    kube-controller-manager) kubernetes_main kube-controller-manager NewControllerManagerCommand ;;
    kube-scheduler) kubernetes_main kube-scheduler NewSchedulerCommand ;;
  esac
}

kubernetes_main() {
  printf '%s\n' 'package main' 'import (' '"os"' '"k8s.io/component-base/cli"' "\"k8s.io/kubernetes/cmd/$1/app\"" ')' \
    "func main() { os.Exit(cli.Run(app.$2())) }"
}

# build PROGRAM VERSION: leaves the program in the folder, named by its version. A half-built one is never seen.
build() {
  local target="$folder/$1-$2" version=k8s.io/component-base/version minor
  [ -x "$target" ] && return
  command -v go > /dev/null || { echo "no go on PATH to build $1 $2" >&2; exit 3; }
  minor=${2#v*.}
  echo "building $1 $2" >&2
  (
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    module_file "$@" > "$work/go.mod"
    compile=(go build)
    if [ "$1" = e2e.test ]; then
      cp hack/real-server/e2e/e2e_test.go "$work"
      compile=(go test -c -vet=off)
    else
      main_file "$1" > "$work/main.go"
    fi
    cd "$work"
    go mod tidy >&2
    nice -n 19 "${compile[@]}" -trimpath -o "$target.new" -ldflags \
      "-s -w -X $version.gitVersion=$2 -X $version.gitMajor=1 -X $version.gitMinor=${minor%%.*}" . >&2
    mv "$target.new" "$target"
  )
}

# install PACKAGE VERSION: the same for a package that is a program itself.
install() {
  local name=${1##*/} target
  target="$folder/$name-$2"
  [ -x "$target" ] && return
  command -v go > /dev/null || { echo "no go on PATH to build $name $2" >&2; exit 3; }
  echo "building $name $2" >&2
  (
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    GOBIN="$work" GOFLAGS=-trimpath nice -n 19 go install -ldflags '-s -w' "$1@$2" >&2
    mv "$work/$name" "$target"
  )
}

# version_of PROGRAM: siblings of Kubernetes have the same number below v0, and the suite pins its runner.
version_of() {
  case $1 in
    etcd) echo "$etcd" ;;
    kube-apiserver | kube-controller-manager | kube-scheduler | e2e.test) echo "$kubernetes" ;;
    sample-apiserver) echo "v0.${kubernetes#v1.}" ;;
    metrics-server | kwok) echo "$(< "hack/real-server/$1-version")" ;;
    ginkgo) go mod download -json "k8s.io/kubernetes@$kubernetes" | sed -n 's/^\t"GoMod": "\(.*\)",$/\1/p' | xargs cat |
      sed -nE 's#^\s+github.com/onsi/ginkgo/v2 (v\S+)$#\1#p' ;;
    *) echo "unknown program $1" >&2; exit 2 ;;
  esac
}

# make_program PROGRAM VERSION
make_program() {
  case $1 in
    sample-apiserver) install k8s.io/sample-apiserver "$2" ;;
    metrics-server) install sigs.k8s.io/metrics-server/cmd/metrics-server "$2" ;;
    kwok)
      install sigs.k8s.io/kwok/cmd/kwok "$2"
      # The stages that its nodes and pods pass belong to the module, and not to the program.
      stages="$(go env GOMODCACHE)/sigs.k8s.io/kwok@$2/kustomize/stage"
      for file in "$stages"/{node/fast,node/heartbeat-with-lease,pod/fast}/*.yaml hack/real-server/kwok-pod-delete.yaml; do
        case $file in */kustomization.yaml | */pod-delete.yaml) ;; *) echo ---; cat "$file" ;; esac
      done > "$folder/kwok-$2.stages.yaml" ;;
    ginkgo) install github.com/onsi/ginkgo/v2/ginkgo "$2" ;;
    *) build "$1" "$2" ;;
  esac
}

paths=
if [ "${1:-}" = --paths ]; then paths=1 && shift; fi
# Two builds at once would be slower than one after the other.
exec 9> "$folder/lock"
flock 9
[ $# -gt 0 ] || set -- etcd kube-apiserver
for program in "$@"; do
  version=$(version_of "$program")
  make_program "$program" "$version"
  [ -z "$paths" ] || echo "$folder/$program-$version"
done
[ -n "$paths" ] || echo "$folder"
