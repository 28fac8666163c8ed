#pragma once
// Looks for secrets in one message: a request head, a body, a name. Hardened against hostile bytes: constant memory, a
// bounded time for each byte, and the same findings however the message is cut. One thread at a time; no I/O.
// Does not decide what a finding means: see verdict.hpp.

#include "dlp/decode_budget.hpp"
#include "dlp/finding_log.hpp"
#include "dlp/known_values.hpp"
#include "dlp/rule_set.hpp"
#include "dlp/stream_scan.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sallyport::dlp {

class Scanner {
 public:
  /// What scanners of one session share.
  struct Setup {
    std::shared_ptr<RuleSet const> rules;      // not null
    std::shared_ptr<KnownValues const> known;  // null: none
    std::string salt;                          // of the session, for digests
    Repeats repeats = Repeats::first;
  };
  /// `content_coding` is how the message says that it is compressed; gzip, zlib and zstd are recognised without it.
  explicit Scanner(Setup setup, std::optional<Coding> content_coding = std::nullopt);
  Scanner(Scanner const&) = delete;
  Scanner& operator=(Scanner const&) = delete;

  void feed(std::string_view bytes);
  /// The message is whole: judges what is left. Nothing may be fed afterwards.
  void finish();

  /// Bytes before this offset have been judged: if no finding came, they may be sent.
  std::uint64_t clear_up_to() const { return finished_ ? received_ : stream_.clear_up_to(); }
  /// Findings since the last call.
  std::vector<Finding> take_findings() { return log_.take(); }

 private:
  Setup setup_;
  DecodeBudget budget_;
  FindingLog log_;
  StreamScan stream_;
  std::uint64_t received_ = 0;
  bool finished_ = false;
};

/// Of Content-Encoding (RFC 9110 section 8.4.1, RFC 8878, RFC 7932): gzip, x-gzip, deflate, br, zstd. Nothing for others.
std::optional<Coding> content_coding_of(std::string_view token);

/// All findings of a message that is in memory.
std::vector<Finding> scan_message(Scanner::Setup const& setup, std::string_view message,
                                  std::optional<Coding> content_coding = std::nullopt);

}  // namespace sallyport::dlp
