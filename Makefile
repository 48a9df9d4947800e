# Only Node, npm and make are needed; every target installs its own prerequisites.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.PHONY: help run test verify verify-types verify-lint verify-format verify-unused verify-hack \
  dist package-check docs-test site conformance robustness bench real-server differential vectors build program screenshots coverage-report format update update-golden clean

# Passed on to the program: make run ARGS='--secure-port 9443'
ARGS ?=
# Files of tests to run, and the number of processes for them. The longest ones start first, so that no process
# runs one at the end.
longest_tests := $(addprefix test/,vectors/vectors.test.ts endpoints/body/bodyForms.test.ts console/browser/pages.test.ts \
  package/package.test.ts storage/level/everyFile.test.ts server/replicas.test.ts cli/roleMatrix.test.ts callbacks.test.ts \
  endpoints/access/rightsRoutes.test.ts cli/platform.test.ts docs/pages.test.ts storage/level.test.ts)
FILES ?= $(longest_tests) $(filter-out $(longest_tests),$(shell find test -name '*.test.ts' | sort))
JOBS ?= $(shell node -p 'Math.min(8, os.availableParallelism())')
bin := node_modules/.bin
data := .data
kubeconfig := $(data)/admin.kubeconfig
# npm writes this file last, so it exists and is new only after a complete installation.
installed := node_modules/.package-lock.json
main := dist/apiserver/main.js
words := dist/kubernetesWords.json.gz
types := dist/apiserver/server.d.ts
sources := $(shell find apiserver cli openapi syncer -name '*.ts' 2>/dev/null)
console := dist/console/manifest.json
console_sources := $(shell find console hack/package/console -type f 2>/dev/null)

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: program ## Build and serve, with data in ./.data; flags in ARGS='…'
	@echo "In another terminal: export KUBECONFIG=$(CURDIR)/$(kubeconfig)" >&2
	@exec node $(main) serve --data-dir $(data) --kubeconfig-out $(kubeconfig) $(ARGS)

# Each process takes the next file when it is done with one.
test: $(installed) ## Run every test: [FILES='test/cli/*.test.ts'] [ARGS='--grep …'] [JOBS=1]
	@$(bin)/mocha --parallel --jobs $(JOBS) $(ARGS) $(FILES)

verify: verify-types verify-lint verify-format verify-unused verify-hack ## Check types, lint, format, imports, unused code, generated files

verify-types: $(installed)
	$(bin)/tsc --noEmit -p .
	$(bin)/tsc --noEmit -p console

verify-lint: $(installed)
	$(bin)/eslint .

verify-format: $(installed)
	$(bin)/prettier --check --log-level warn .

verify-unused: $(installed)
	$(bin)/knip

verify-hack: $(installed)
	@failed=0; for script in hack/verify-*.sh; do echo "$$script"; "$$script" || failed=1; done; exit $$failed

conformance: build ## Drive the built server with real clients
	$(bin)/tsx test/conformance/main.ts $(ARGS)

# Three servers over three members of etcd, or TARGET=level for one on LevelDB, TARGET=kube-apiserver for three real ones.
# SEED repeats the choices of a run, ROUND starts with that round, FAULTS is a regular expression for faults.
robustness: build ## Random traffic and faults, every answer checked: [TARGET=…] [SEED=…] [MINUTES=…] [ROUND=…] [FAULTS=…]
	@[ "$(TARGET)" = level ] || hack/real-server/build.sh etcd $(filter kube-apiserver,$(TARGET)) > /dev/null
	$(bin)/tsx test/robustness/main.ts $(if $(TARGET),--target $(TARGET)) $(if $(SEED),--seed $(SEED)) \
	  $(if $(MINUTES),--minutes $(MINUTES)) $(if $(ROUND),--round $(ROUND)) $(if $(FAULTS),--faults '$(FAULTS)') $(ARGS)

docs-test: build ## Run the commands of README.md and docs/, and compare what they print
	$(bin)/tsx test/docs/main.ts $(ARGS)

site: $(installed) ## Build the pages into .build/site/
	$(bin)/tsx hack/docs/site.ts .build/site

real-server: ## Build the real kube-apiserver and etcd, once for each version, outside this folder
	@hack/real-server/build.sh || [ $$? -eq 3 ]

# SEED repeats a run, ONLY is a regular expression for parts and kinds, MINUTES is the time for all parts, REQUESTS the number
# that each part compares, and with KNOWN=1 known classes of differences do not make it fail.
differential: $(installed) real-server ## Compare with the real server: [SEED=…] [ONLY=…] [MINUTES=…] [REQUESTS=…] [KNOWN=1]
	$(bin)/tsx test/differential/realServer/main.ts $(if $(SEED),--seed $(SEED)) $(if $(ONLY),--only '$(ONLY)') \
	  $(if $(MINUTES),--minutes $(MINUTES)) $(if $(REQUESTS),--requests $(REQUESTS)) $(if $(KNOWN),--known)

vectors: $(installed) real-server ## Record what the real kube-apiserver answers into test/vectors
	$(bin)/tsx test/vectors/main.ts $(ARGS)

bench: program ## Compare the built server with the raw limits of this machine; PEER=1|kube-apiserver|storages: with a peer; AGAINST=COMMIT: with that build
	$(bin)/tsx test/bench/main.ts $(if $(PEER),--peer $(PEER)) $(if $(AGAINST),--against $(AGAINST)) $(ARGS)
	$(if $(findstring write-docs,$(ARGS)),hack/update-charts.sh)

build: program $(types) ## Compile to dist/, with the declarations of the package

# Files that a server needs, without the declarations: the three parts are built at the same time.
program: $(installed)
	@$(MAKE) --no-print-directory --jobs 2 $(main) $(words) $(console)

# The modules are bundled, since opening hundreds of files takes longer than running them.
$(main): $(installed) $(wildcard hack/package/*.ts) package.json package-lock.json $(sources)
	rm -rf dist/chunks dist/cli/chunks
	$(bin)/tsx hack/package/bundle.ts
	$(bin)/tsx hack/package/codeCache.ts
	@chmod +x $@ dist/cli/main.js && touch $@

$(words): $(installed) hack/kubernetes/kubernetesWords.ts $(wildcard apiserver/runtime/kubernetesWords/*.ts)
	$(bin)/tsx hack/kubernetes/kubernetesWords.ts

$(types): $(installed) hack/package/publishedTypes.ts tsconfig.json tsconfig.build.json $(sources)
	$(bin)/tsc -p tsconfig.build.json
	$(bin)/tsx hack/package/publishedTypes.ts .build/declarations
	@touch $@

$(console): $(installed) hack/package/console.ts $(console_sources)
	$(bin)/tsx hack/package/console.ts

$(installed): package-lock.json
	npm ci --prefer-offline --no-audit --no-fund
	@touch $@

package-check: build ## Install the package, serve with Node 20, 22 and 24, print size and start times: [ARGS=--record]
	$(bin)/tsx hack/package/packageCheck.ts $(ARGS)

# The archive of npm, single executables, their bill of materials and the digests of all files of a release.
# TARGETS='linux-x64 …' builds only these executables, TARGETS=none builds none.
TARGETS ?=
dist: build ## Pack a release into release/: archive, single executables, SBOM, checksums: [TARGETS=…]
	rm -rf release && mkdir release
	npm pack --ignore-scripts --pack-destination release
	cp dist/sbom.cdx.json dist/LICENSES.txt release/
	$(bin)/tsx hack/package/executables.ts release $(TARGETS)
	cd release && sha256sum -- * > SHA256SUMS

screenshots: $(installed) ## Photograph the console's main pages into docs/images/console, with Chromium
	$(bin)/tsx test/console/screenshots/main.ts

coverage-report: $(installed) ## Report which tests cover which requirement: coverage/spec-coverage.md, coverage/reference-coverage.md
	@hack/verify-coverage.sh coverage

format: $(installed) ## Format every file
	$(bin)/prettier --write --log-level warn .

update: $(installed) ## Regenerate every generated file
	@for script in hack/update-*.sh; do echo "$$script"; "$$script"; done

update-golden: $(installed) ## Rewrite the golden files from the test results
	@UPDATE_GOLDEN=1 $(bin)/mocha --parallel --jobs $(JOBS) $(ARGS) $(FILES)

clean: ## Remove build results; keeps data and installed packages
	rm -rf dist .build release coverage
