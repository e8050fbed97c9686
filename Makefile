# Everything that people and CI run. Bare `make` lists the targets.
.DEFAULT_GOAL := help
.PHONY: help bootstrap build test test-pg journey demo run golden docs api fmt lint ci chaos
.PHONY: sdk-release sdk-check sdk-docs sdk-size release apple xcode deb deb-check check-release
.PHONY: attack attack-sanitized attack-api attack-load attack-tls fuzz fuzz-documents asan tsan
.PHONY: bench-powerauth bench-saltedge bench-ledger bench-chat bench-evidence bench-screening

# Editors index by themselves, and an index that the build writes is a third of what compiling a module takes (decision 190).
# A fresh build in CI needs no lines for a debugger either, and its tests use the C of cryptography for minutes: optimised,
# but only as far as that pays (decision 149). Builds beside this one need the same flags: others compile all anew.
SWIFT_BUILD_FLAGS ?= --disable-index-store$(if $(CI), -debug-info-format none -Xcc -O1)
export SWIFT_BUILD_FLAGS

# One test at a time: image work and races have both cores to themselves, so that deadlines mean something.
SWIFT_TEST_FLAGS ?= --no-parallel

# The testing library would walk the stack of every error that is thrown, whether a test looks at it or not: half of the
# processor's time of suites that are refused often (decision 157).
export SWT_SWIFT_ERROR_BACKTRACING_ENABLED ?= 0

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

bootstrap: ## check the machine and install what is missing from Debian's packages
	@scripts/bootstrap

build: bootstrap ## build everything, tests included
	swift build --build-tests $(SWIFT_BUILD_FLAGS)

# The targets with suites that store anything; the others would only say the same again. A suite in them that opens no
# database is marked `.storeless`, or `.ownFile` (Tests/TestSupport/StorelessTrait.swift), and PostgreSQL's run skips it.
# PostgreSQL has a run for each of these, because waiting is most of what they do; the last go with its journeys, half of
# which run on SQLite alone (decision 206).
STORED = ^(StorageTests|KitTests|HTTPTests|CapabilitiesTests|ScreeningHTTPTests)\.
STORED_MORE = ^(?!Rubix|Wultra)\w+FlowTests\.
STORED_BESIDE = ^((Rubix|Wultra)FlowTests|PowerAuthHTTPTests)\.
# Journeys take as long as all of these together, and so do pictures and capabilities on SQLite: each has a run of its own,
# and so have the flows. What ends last decides, so that journeys of which a browser or a program of its own does most go with
# the runs that ended first: those in a browser and the pages of docs with all suites that are left, the pages that need a
# seed with the flows, and the calls of everything that the API describes by themselves.
JOURNEYS = ^JourneyTests\.(?!ConsoleScreenTests|DemoBankScreenTests|PlayedPagesTests|PlayedSeedTests|DescriptionAttackTests)
CAPABILITIES = ^(CapabilitiesTests|EvidenceTests|SpecimensTests)\.
FLOWS = ^((Finaptic|OneAssist|Rubix|SaltEdge|Wultra)FlowTests|PaymentsTests)\.|^JourneyTests\.PlayedSeedTests
DESCRIPTION = ^JourneyTests\.DescriptionAttackTests

test: build ## every suite on SQLite and, beside it, those that store anything on PostgreSQL when one can be started
	scripts/test-engines '$(STORED)' '$(STORED_MORE)' '$(STORED_BESIDE)' '$(JOURNEYS)' '$(CAPABILITIES)' '$(FLOWS)' \
	  '$(DESCRIPTION)' -- $(SWIFT_TEST_FLAGS)

test-pg: build ## the suites that store anything, on PostgreSQL; fails when there is none
	scripts/with-postgres --plan-once swift test --skip-build --filter '$(STORED)|$(STORED_MORE)|$(STORED_BESIDE)|$(JOURNEYS)' $(SWIFT_TEST_FLAGS)

journey: build ## the journeys only: the real SDK against the real router
	swift test --skip-build --filter JourneyTests

demo: bootstrap ## play whole onboardings of each system against a fresh server
	@echo 'Building first: about six minutes on two cores when nothing is built yet, seconds when everything is.'
	@scripts/build-quietly .build/demo-build.log --product gatehouse-demo $(SWIFT_BUILD_FLAGS)
	swift run --skip-build gatehouse-demo

run: bootstrap ## serve a sandbox on 127.0.0.1:8080, data in ./data
	swift run $(SWIFT_BUILD_FLAGS) gatehouse serve

golden: build ## rewrite golden files, then read `git diff`
	UPDATE_GOLDEN=1 swift test --skip-build --filter Golden

api: ## say what breaks in the SDKs since the last release
	@scripts/sdk-api $(API_FLAGS)

sdk-release: ## write the package for apps, .build-sdk/gatehouse-sdk; SDK_FLAGS="--out FOLDER --url URL"
	@scripts/sdk-release $(SDK_FLAGS)

sdk-check: ## install the SDKs as docs/sdk says, in an app outside of this repository; build and run it
	scripts/sdk-check $(SDK_FLAGS)

sdk-docs: build ## documentation of each SDK with a tutorial, by docc, in .build-sdk/docs
	scripts/sdk-docs

sdk-size: ## how much each SDK adds to a program, in kilobytes; SDK_FLAGS="--keep FOLDER PRODUCT"
	scripts/sdk-size $(SDK_FLAGS)

release: ## commit and tag a release and its package for apps, VERSION=1.2.3; pushes nothing
	@scripts/release $(VERSION) $(SDK_FLAGS)

docs: ## the site of docs/ in .build/docs-site/html, with what is written from the code; needs MkDocs
	@scripts/docs-site

fmt: ## format every Swift file
	swift format --in-place --recursive --parallel Sources Tests Lab Examples Fuzz Package.swift

lint: ## say what is not formatted
	swift format lint --recursive --parallel Sources Tests Lab Examples Fuzz Package.swift

apple: ## compile the SDKs as if for iOS and macOS, by declarations of what they use of Apple's; APPLE_FLAGS="--platform iOS"
	scripts/apple $(APPLE_FLAGS)

xcode: sdk-release ## write the Xcode projects of the example apps, with the package for apps that they need
	scripts/xcode-projects

chaos: bootstrap ## kill nodes, restart the database, spoil S3 under load; then look for everything promised
	@scripts/chaos $(CHAOS_FLAGS)

# What the sanitizers run within `make attack`: what parses, decodes and shares memory. All of it: make asan tsan. A picture
# worker's limit of memory leaves no room for what AddressSanitizer maps.
ATTACK_ASAN = --filter "EvidenceTests|KitTests|HTTPTests|ObjectStorageTests|PowerAuthCoreTests|SaltEdgeCoreTests" \
  --skip "WorkerPoolTests|WorkerLimitTests"
ATTACK_TSAN = --filter "KitTests|StorageTests|HTTPTests"

attack: attack-api fuzz attack-load attack-tls attack-sanitized ## everything that attacks: the API, readers of outside bytes, a node under load, HTTP/2 and TLS, sanitizers

attack-sanitized: bootstrap ## the part of the suites that make attack runs under AddressSanitizer and ThreadSanitizer
	$(MAKE) asan ASAN_FLAGS='$(ATTACK_ASAN)'
	$(MAKE) tsan TSAN_FLAGS='$(ATTACK_TSAN)'

attack-api: bootstrap ## schemathesis calls everything that the API describes, with every role's credentials
	swift build --product gatehouse $(SWIFT_BUILD_FLAGS)
	nice scripts/attack-api $(ATTACK_FLAGS)

attack-load: bootstrap ## what callers wait for while a thousand connections trickle, flood, guess and send bombs
	swift build -c release --product gatehouse
	scripts/attack-load $(LOAD_FLAGS)

attack-tls: bootstrap ## HTTP/2 and TLS by a client that keeps to no rule: probes, floods, stalls
	swift build -c release --product gatehouse
	scripts/attack-tls $(TLS_FLAGS)

fuzz-documents: bootstrap ## a million inputs for each reader of a document's text, ten thousand for each of pictures
	scripts/fuzz --documents $(FUZZ_FLAGS)

fuzz: bootstrap ## libFuzzer under AddressSanitizer on every reader of outside bytes, 10 minutes each
	scripts/fuzz $(FUZZ_FLAGS)

# Builds of their own: everything is compiled anew. Leaks are left out, because Swift's runtime keeps what it caches.
# Tests that measure memory or time fail under a sanitizer: read what the sanitizer printed, or leave them out by --skip.
SANITIZED = ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 \
  TSAN_OPTIONS=halt_on_error=1:suppressions=$(CURDIR)/Fuzz/tsan.supp SWIFT_BACKTRACE=enable=no

asan: bootstrap ## the suites under AddressSanitizer; ASAN_FLAGS="--filter EvidenceTests" for one of them
	$(SANITIZED) swift test --disable-index-store --sanitize=address --scratch-path .build-asan $(SWIFT_TEST_FLAGS) $(ASAN_FLAGS)

tsan: bootstrap ## the suites under ThreadSanitizer; TSAN_FLAGS="--filter KitTests" for one of them
	$(SANITIZED) swift test --disable-index-store --sanitize=thread --scratch-path .build-tsan $(SWIFT_TEST_FLAGS) $(TSAN_FLAGS)

bench-powerauth: bootstrap ## signatures and encrypted requests per second, beside what their primitives allow
	swift build -c release --product gatehouse-lab
	swift run -c release --skip-build gatehouse-lab bench powerauth $(BENCH_FLAGS)

bench-saltedge: bootstrap ## polling devices and confirmed payments on one node, signature checks beside openssl's
	swift build -c release --product gatehouse-lab
	swift run -c release --skip-build gatehouse-lab bench saltedge $(BENCH_FLAGS)

bench-ledger: bootstrap ## durable transfers a second, contended and spread, beside bare ones and pgbench
	swift build -c release --product gatehouse-lab
	swift run -c release --skip-build gatehouse-lab bench ledger $(BENCH_FLAGS)

bench-chat: bootstrap ## conversations at once on one node: the time from sending a message to receiving it
	swift build -c release --product gatehouse-lab
	swift run -c release --skip-build gatehouse-lab bench chat $(BENCH_FLAGS)

bench-evidence: bootstrap ## how right, fast and small the reading of documents is, beside PassportEye, on drawn specimens
	swift build -c release --product gatehouse-lab
	scripts/bench-evidence $(BENCH_FLAGS)

bench-screening: bootstrap ## what the name matcher finds and how fast, beside nomenklatura; BENCH_FLAGS="--data FOLDER"
	swift build -c release --product gatehouse-lab
	scripts/bench-screening $(BENCH_FLAGS)

# Swift's runtime is linked in: a server needs no toolchain, and Debian's libraries only.
RELEASE = swift build -c release --static-swift-stdlib --product gatehouse
deb: bootstrap ## a Debian package of the release program, in .build/deb, when its signed-in calls hold (check-release)
	$(RELEASE)
	scripts/make-deb $$($(RELEASE) --show-bin-path)/gatehouse \
	  $$($(RELEASE) --show-bin-path)/gatehouse.product/Objects.LinkFileList .build/deb

check-release: bootstrap ## play the release program through signed-in calls of each system; make deb does so too
	$(RELEASE)
	scripts/check-release $$($(RELEASE) --show-bin-path)/gatehouse

deb-check: deb ## a life of the newest package in a fresh chroot: set up, used, upgraded, removed; DEB_OLDER=FILE for an older one
	scripts/deb-check "$$(ls -t .build/deb/*.deb | head -1)" $(DEB_OLDER)

ci: ## what CI runs
	bash .ci/run
