// How fast clean traffic passes the scanner, with every detector and coding on, beside a plain memchr pass as the limit.
//   cmake -DSALLYPORT_BENCH=ON build && ninja -C build dlp_scan_bench
//   build/bin/dlp_scan_bench [--benchmark_…] [FILE…]      one core; texts are made by tests/dlp/corpus.cpp, or read from
//   files

#include "dlp/example.hpp"
#include "dlp/scanner.hpp"
#include "dlp/trail.hpp"
#include "dlp/verdict.hpp"
#include "tests/dlp/corpus.hpp"

#include <benchmark/benchmark.h>

#include <cstring>
#include <fstream>
#include <iterator>

namespace sallyport::dlp {
namespace {

constexpr std::size_t kTextBytes = 4 * 1024 * 1024;

Scanner::Setup const& setup() {
  static Scanner::Setup const made{RuleSet::builtin(), nullptr, "salt"};
  return made;
}

void scan(benchmark::State& state, std::string const& text) {
  for (auto _ : state) {
    Scanner scanner(setup());
    for (std::size_t at = 0; at < text.size(); at += 65536) scanner.feed(std::string_view(text).substr(at, 65536));
    scanner.finish();
    benchmark::DoNotOptimize(scanner.take_findings());
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}

void memchr_pass(benchmark::State& state) {
  auto text = test::benign_text("registry metadata", kTextBytes, 1);
  for (auto _ : state) benchmark::DoNotOptimize(std::memchr(text.data(), '\x01', text.size()));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}
BENCHMARK(memchr_pass);

void small_request(benchmark::State& state) {
  auto text = test::benign_text("request heads", 600, 1);
  for (auto _ : state) benchmark::DoNotOptimize(scan_message(setup(), text));
}
BENCHMARK(small_request);

/// The n-th request of an install: four of its values are new.
std::string head_of_install(std::size_t n) {
  auto const number = std::to_string(n * 7919 % 100'000);
  return "GET /pkg-" + number + "/-/pkg-" + number + "-1.2.3.tgz HTTP/1.1\r\nHost: registry.npmjs.org\r\nUser-Agent: npm/10.8.2 node/v20 linux x64\r\n"
         "npm-command: install\r\nAccept: */*\r\npacote-req-type: tarball\r\npacote-pkg-id: remote:pkg-" + number + "\r\n\r\n";
}

void request_head(benchmark::State& state) {
  for (std::size_t n = 0; auto _ : state) benchmark::DoNotOptimize(scan_at(setup(), head_of_install(++n), Place::header));
}
BENCHMARK(request_head);

/// With what the host was told in the requests before.
void request_head_behind_others(benchmark::State& state) {
  Trail trail;
  for (std::size_t n = 0; auto _ : state) {
    auto const head = head_of_install(++n);
    benchmark::DoNotOptimize(scan_at(setup(), head, Place::header));
    auto const values = head_values(head);
    benchmark::DoNotOptimize(trail.look(setup(), values));
    trail.add(values);
  }
}
BENCHMARK(request_head_behind_others);

/// The values of a developer's variables, beside all the rest.
void known_values(benchmark::State& state) {
  static Scanner::Setup const with_values{RuleSet::builtin(),
                                          std::make_shared<KnownValues const>(
                                              std::vector<KnownValue>{{"A", "correct-horse-battery-staple-2026"}, {"B", "hunter2-xyz-77"}}, "salt"),
                                          "salt"};
  auto const text = test::benign_text("registry metadata", kTextBytes, 1);
  for (auto _ : state) {
    Scanner scanner(with_values);
    scanner.feed(text);
    scanner.finish();
    benchmark::DoNotOptimize(scanner.take_findings());
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}
BENCHMARK(known_values);

void start_up(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(RuleSet::builtin());
}
BENCHMARK(start_up)->Unit(benchmark::kMillisecond);

std::string contents_of(std::string const& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace
}  // namespace sallyport::dlp

int main(int argc, char** argv) {
  using namespace sallyport::dlp;
  for (auto kind : test::benign_kinds()) {
    benchmark::RegisterBenchmark(std::string(kind).c_str(),
                                 [kind](benchmark::State& state) { scan(state, test::benign_text(kind, kTextBytes, 1)); });
  }
  benchmark::Initialize(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    benchmark::RegisterBenchmark(argv[i], [text = contents_of(argv[i])](benchmark::State& state) { scan(state, text); });
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
