# volplan: `make demo` shows it, `make test` tests it, `make help` lists the rest.
#
#   V=1         print whole commands          WERROR=0   let warnings pass
#   SAN=LIST    sanitizers (address,undefined) into a build folder of their own
#   B=DIR       build folder                  CC=clang   another compiler

V       ?= 0
WERROR  ?= 1
SAN     ?=
COV     ?=
comma   := ,
empty   :=
space   := $(empty) $(empty)
suffix  := $(if $(filter clang%,$(notdir $(CC))),-clang)$(if $(SAN),-$(subst $(comma),-,$(SAN)))$(if $(COV),-cov)
B       ?= build$(suffix)
PREFIX  ?= /usr/local
DESTDIR ?=
Q       := $(if $(filter 1,$(V)),,@)
say      = $(if $(filter 1,$(V)),,@printf '  %-5s %s\n' $(1) $(2);)

OPT      ?= -O2 -g
# what a large file waits for: parsers and store
HOT      := $(if $(filter -O2,$(OPT)),-O3)
WARN     := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes \
            -Wpointer-arith -Wcast-qual -Wwrite-strings -Wundef -Wvla -Wformat=2
CFLAGS_  := -std=c11 -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -I. -I$(B) -isystem /usr/include/libxml2 -isystem /usr/include/postgresql $(OPT) $(WARN) \
            $(if $(filter 1,$(WERROR)),-Werror) $(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=all \
            -fno-omit-frame-pointer) $(if $(COV),--coverage) -fstack-protector-strong -pthread $(CFLAGS)
LDFLAGS_ := $(if $(SAN),-fsanitize=$(SAN)) $(if $(COV),--coverage) -pthread $(LDFLAGS)
LIBS     := -lsqlite3 -lpq -lcjson -lxml2 -larchive -lz -lxxhash -lcurl -lmicrohttpd -lm

# --- what there is to compile, by layer -------------------------------------------------------
sources   = $(sort $(shell find $(1) -name '*.c'))
MODELS_C  := $(filter-out models/facts/gen_facts.c,$(call sources,models))
DATA_C    := $(call sources,data)
PLANNER_C := $(call sources,planner)
CLI_C     := $(filter-out cli/page/gen_page.c cli/gen_man.c,$(call sources,cli))
HEADERS   := $(sort $(shell find models data planner cli -name '*.h'))
UNIT_C    := $(sort $(shell find tests/models tests/data tests/planner tests/cli tests/hostile -name 'test_*.c'))
FUZZ_C    := $(sort $(wildcard tests/fuzz/fuzz_*.c))
TORTURE_C := $(sort $(wildcard tests/torture/torture_*.c))
BENCH_C   := $(sort $(wildcard tests/bench/bench_*.c))
PAGE_IN   := $(sort $(wildcard cli/page/*.html cli/page/*.css cli/page/*.js))
DYGRAPHS  ?= /usr/share/javascript/dygraphs
FACTS_CSV := $(sort $(wildcard models/facts/*.csv))

obj       = $(patsubst %.c,$(B)/%.o,$(1))
MODELS_O  := $(call obj,$(MODELS_C)) $(B)/models/facts/builtin.o
LIBMODELS := $(B)/libmodels.a
LIBDATA   := $(B)/libdata.a
LIBPLAN   := $(B)/libplanner.a
LIBCLI    := $(B)/libcli.a
SAMPLES_C := $(sort $(wildcard tests/samples/test_*.c))
UNITS     := $(patsubst %.c,$(B)/%,$(UNIT_C))
CORPORA   := $(patsubst %.c,$(B)/%,$(FUZZ_C))
SAMPLES   := $(patsubst %.c,$(B)/%,$(SAMPLES_C))
TORTURES  := $(patsubst %.c,$(B)/%,$(TORTURE_C))
BENCHES   := $(patsubst %.c,$(B)/%,$(BENCH_C))

.PHONY: all man deps demo test check-long check-samples check-browser picture bench fuzz lint coverage install clean help
.DELETE_ON_ERROR:
.SECONDARY:

all: $(B)/volplan man

# --- compiling and linking --------------------------------------------------------------------
$(B)/%.o: %.c
	$(Q)mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(CFLAGS_) $(if $(filter data/%,$<),$(HOT)) -MMD -MP -c $< -o $@

$(B)/models/facts/builtin.o: $(B)/models/facts/builtin.c
	$(call say,CC,$<)$(CC) $(CFLAGS_) -O1 -c $< -o $@

# The built-in catalogue: the CSV files through the parser that also reads --facts.
GEN_O := $(call obj,models/facts/gen_facts.c $(filter models/core/% models/vocab/% models/facts/%,$(MODELS_C)))
$(B)/gen_facts: $(GEN_O)
	$(call say,LD,$@)$(CC) $(LDFLAGS_) $^ -lm -o $@

$(B)/models/facts/builtin.c: $(B)/gen_facts $(FACTS_CSV)
	$(call say,GEN,$@)$(B)/gen_facts models/facts >$@

# The page of reports: its files and the chart library in one C array.
GEN_PAGE_O := $(call obj,cli/page/gen_page.c cli/page/sha256.c $(filter models/core/%,$(MODELS_C)))
$(B)/gen_page: $(GEN_PAGE_O)
	$(call say,LD,$@)$(CC) $(LDFLAGS_) $^ -lm -o $@

$(B)/cli/page/page_pieces.c: $(B)/gen_page $(PAGE_IN)
	$(call say,GEN,$@)$(B)/gen_page cli/page/page.html cli/page $(DYGRAPHS) >$@

$(B)/cli/page/page_pieces.o: $(B)/cli/page/page_pieces.c
	$(call say,CC,$<)$(CC) $(CFLAGS_) -O0 -c $< -o $@

$(LIBMODELS): $(MODELS_O)
$(LIBDATA): $(call obj,$(DATA_C))
$(LIBPLAN): $(call obj,$(PLANNER_C))
$(LIBCLI): $(call obj,$(filter-out cli/main.c,$(CLI_C))) $(B)/cli/page/page_pieces.o
$(B)/lib%.a:
	$(call say,AR,$@)rm -f $@ && ar rcs $@ $^

$(B)/volplan: $(B)/cli/main.o $(LIBCLI) $(LIBPLAN) $(LIBDATA) $(LIBMODELS)
	$(call say,LD,$@)$(CC) $(LDFLAGS_) $^ $(LIBS) -o $@

# The manual: volplan(1) and a page for each command, out of the tables of options and commands.
$(B)/gen_man: $(B)/cli/gen_man.o $(LIBCLI) $(LIBPLAN) $(LIBDATA) $(LIBMODELS)
	$(call say,LD,$@)$(CC) $(LDFLAGS_) $^ $(LIBS) -o $@

man: $(B)/man/volplan.1
$(B)/man/volplan.1: $(B)/gen_man
	$(call say,GEN,$(@D))rm -rf $(@D) && mkdir -p $(@D) && $(B)/gen_man $(@D)

# A unit test links its own layer and what lies below, nothing else.
$(B)/tests/models/%: $(B)/tests/models/%.o $(LIBMODELS)
	$(call say,LD,$@)$(CC) $(LDFLAGS_) $^ -lcjson -lcmocka -lm -o $@
$(B)/tests/data/%: $(B)/tests/data/%.o $(LIBDATA) $(LIBMODELS)
	$(call say,LD,$@)$(CC) $(LDFLAGS_) $^ $(LIBS) -lcmocka -o $@
$(B)/tests/hostile/%: $(B)/tests/hostile/%.o $(LIBDATA) $(LIBMODELS)
	$(call say,LD,$@)$(CC) $(LDFLAGS_) $^ $(LIBS) -lcmocka -o $@
$(B)/tests/samples/%: $(B)/tests/samples/%.o $(LIBCLI) $(LIBPLAN) $(LIBDATA) $(LIBMODELS)
	$(call say,LD,$@)$(CC) $(LDFLAGS_) $^ $(LIBS) -lcmocka -o $@
$(B)/tests/planner/%: $(B)/tests/planner/%.o $(LIBPLAN) $(LIBMODELS)
	$(call say,LD,$@)$(CC) $(LDFLAGS_) $^ -lcmocka -lm -o $@
$(B)/tests/cli/%: $(B)/tests/cli/%.o $(LIBCLI) $(LIBPLAN) $(LIBDATA) $(LIBMODELS)
	$(call say,LD,$@)$(CC) $(LDFLAGS_) $^ $(LIBS) -lcmocka -o $@
$(B)/tests/torture/%: $(B)/tests/torture/%.o $(LIBCLI) $(LIBPLAN) $(LIBDATA) $(LIBMODELS)
	$(call say,LD,$@)$(CC) $(LDFLAGS_) $^ $(LIBS) -lcmocka -o $@
$(B)/tests/bench/%: $(B)/tests/bench/%.o $(LIBCLI) $(LIBPLAN) $(LIBDATA) $(LIBMODELS)
	$(call say,LD,$@)$(CC) $(LDFLAGS_) $^ $(LIBS) -o $@
# A fuzz target with the main that replays its corpus; `make fuzz` links libFuzzer instead.
$(B)/tests/fuzz/%: $(B)/tests/fuzz/%.o $(B)/tests/fuzz/corpus_run.o $(LIBCLI) $(LIBPLAN) $(LIBDATA) $(LIBMODELS)
	$(call say,LD,$@)$(CC) $(LDFLAGS_) $^ $(LIBS) -o $@

-include $(shell find $(B) -name '*.d' 2>/dev/null)

# --- testing ----------------------------------------------------------------------------------
HDR_OK := $(patsubst %.h,$(B)/%.h.ok,$(HEADERS))
$(B)/%.h.ok: %.h
	$(Q)mkdir -p $(@D)
	$(call say,HDR,$<)$(CC) $(CFLAGS_) -Wno-unused-macros -MMD -MP -MF $(B)/$*.h.d -MT $@ -fsyntax-only -include $< -x c /dev/null && touch $@

lint: $(HDR_OK) man
	$(Q)tests/lint/layers.sh
	$(Q)tests/lint/names.sh
	$(Q)tests/lint/man.sh $(B)/man

test: deps
	$(Q)$(MAKE) --no-print-directory B=$(B) run-tests

.PHONY: run-tests
run-tests: all $(UNITS) $(SAMPLES) $(CORPORA) $(TORTURES)
	$(Q)$(MAKE) --no-print-directory B=$(B) lint
	$(Q)$(MAKE) --no-print-directory B=$(B) run-units run-torture
	$(Q)for f in $(CORPORA); do $$f tests/fuzz/corpus/$$(basename $$f | sed 's/^fuzz_//') || exit 1; done
	$(Q)tests/cli/run_golden.sh $(B)/volplan
	+$(Q)tests/installed.sh $(B)
	$(Q)tests/browser/short.sh $(B)/volplan
	$(Q)tests/hostile/kill.sh $(B)/volplan 10
	$(Q)PARTS=3 tests/pg_server.sh tests/data/store/eight_writers.sh $(B)/volplan 2
	$(Q)PARTS=3 tests/pg_server.sh tests/data/store/many_planners.sh $(B)/volplan
	$(Q)PARTS=3 tests/pg_server.sh tests/data/store/part_stops.sh $(B)/volplan
	$(Q)TCP=1 tests/pg_server.sh tests/data/store/tls.sh $(B)/volplan
	$(Q)echo "all tests passed"

# Each takes about as long as the other: side by side under -j.
.PHONY: run-units run-torture
run-units: $(UNITS) $(SAMPLES)
	$(Q)PARTS=3 tests/pg_server.sh tests/run_units.sh $(UNITS) $(SAMPLES)
run-torture: $(TORTURES)
	$(Q)tests/run_units.sh $(TORTURES)

check-browser: all
	$(Q)data/demo/demo.sh $(B)/volplan $(B)/demo >/dev/null 2>&1
	$(Q)tests/browser/run.sh $(B)/volplan $(B)/demo

picture: all
	$(Q)data/demo/demo.sh $(B)/volplan $(B)/demo >/dev/null 2>&1
	$(Q)tests/browser/picture.sh $(B)/volplan $(B)/demo docs/report.png

check-samples: all $(SAMPLES)
	$(Q)tests/run_units.sh $(SAMPLES)

bench: all $(BENCHES) $(B)/tests/planner/solve/glpk_systems
	$(Q)for b in tests/bench/*.sh; do $$b $(B)/volplan || exit 1; done
	$(Q)for b in $(BENCHES); do $$b || exit 1; done

FUZZ_S ?= 60
FUZZERS := $(patsubst tests/fuzz/%.c,%,$(FUZZ_C))
.PHONY: $(FUZZERS)
fuzz: $(FUZZERS)
$(FUZZERS):
	$(Q)tests/fuzz/run_fuzz.sh $@ $(FUZZ_S) $(B) $(LIBS)

check-long:
	$(Q)tests/check_long.sh

coverage:
	$(Q)$(MAKE) COV=1 OPT=-O0 test
	$(Q)gcovr --root . --exclude tests --print-summary --output /dev/null build-cov

# --- what a person wants ----------------------------------------------------------------------
DEPS := gcc libc6-dev make gawk pmccabe ca-certificates libsqlite3-dev libpq-dev libcjson-dev libcmocka-dev libxml2-dev libarchive-dev zlib1g-dev libxxhash-dev libcurl4-openssl-dev libmicrohttpd-dev libjs-dygraphs postgresql sqlite3 tzdata perl openssl

# Installs what is missing (Debian); says what to install where that is not possible.
deps:
	$(Q)missing=$$(for p in $(DEPS); do dpkg-query -W -f '$${Status}' $$p 2>/dev/null | grep -q 'ok installed' || echo $$p; done); \
	[ -z "$$missing" ] && exit 0; \
	command -v apt-get >/dev/null || { echo "please install what Debian calls:" $$missing; exit 1; }; \
	sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
	echo "installing:" $$missing; \
	$$sudo apt-get update -qq && DEBIAN_FRONTEND=noninteractive $$sudo apt-get install -y -qq --no-install-recommends $$missing >/dev/null

demo: deps
	$(Q)$(MAKE) --no-print-directory all
	$(Q)data/demo/demo.sh $(B)/volplan $(B)/demo

DATADIR = $(DESTDIR)$(PREFIX)/share
install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DATADIR)/doc/volplan/docs $(DATADIR)/doc/volplan/data/sql $(DATADIR)/man/man1 \
	    $(DATADIR)/bash-completion/completions $(DATADIR)/zsh/site-functions $(DATADIR)/fish/vendor_completions.d
	install -m 755 $(B)/volplan $(DESTDIR)$(PREFIX)/bin/volplan
	install -m 644 README.md LICENSE CHANGELOG.md $(DATADIR)/doc/volplan
	install -m 644 docs/* $(DATADIR)/doc/volplan/docs
	install -m 644 data/sql/* $(DATADIR)/doc/volplan/data/sql
	install -m 644 $(B)/man/*.1 $(DATADIR)/man/man1
	$(B)/volplan completion bash >$(DATADIR)/bash-completion/completions/volplan
	$(B)/volplan completion zsh >$(DATADIR)/zsh/site-functions/_volplan
	$(B)/volplan completion fish >$(DATADIR)/fish/vendor_completions.d/volplan.fish

clean:
	rm -rf build build-*

help:
	@sed -n '1,/^$$/s/^# \{0,1\}//p' Makefile
	@echo "Targets: all man deps demo test check-long check-samples check-browser picture bench fuzz lint coverage install clean"
