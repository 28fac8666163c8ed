#include "dlp/scanner.hpp"

#include "base/check.hpp"

#include <utility>

namespace sallyport::dlp {
namespace {

Scanner::Setup completed(Scanner::Setup setup) {
  if (!setup.known) setup.known = std::make_shared<KnownValues const>();
  return setup;
}

}  // namespace

Scanner::Scanner(Setup setup, std::optional<Coding> content_coding)
    : setup_(completed(std::move(setup))), log_(setup_.salt, setup_.repeats), stream_({*setup_.rules, *setup_.known, budget_, log_}, {}) {
  // What has a head of its own is found by it, whatever the message says.
  if (content_coding == Coding::brotli || content_coding == Coding::deflate) stream_.expect(*content_coding);
}

void Scanner::feed(std::string_view bytes) {
  check(!finished_, "a finished message takes no more bytes");
  received_ += bytes.size();
  stream_.feed(bytes);
}

void Scanner::finish() {
  if (!finished_) stream_.finish();
  finished_ = true;
}

std::optional<Coding> content_coding_of(std::string_view token) {
  if (token == "gzip" || token == "x-gzip") return Coding::gzip;
  if (token == "deflate") return Coding::deflate;
  if (token == "br") return Coding::brotli;
  if (token == "zstd") return Coding::zstd;
  return std::nullopt;
}

std::vector<Finding> scan_message(Scanner::Setup const& setup, std::string_view message,
                                  std::optional<Coding> content_coding) {
  Scanner scanner(setup, content_coding);
  scanner.feed(message);
  scanner.finish();
  return scanner.take_findings();
}

}  // namespace sallyport::dlp
