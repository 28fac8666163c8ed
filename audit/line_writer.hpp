#pragma once
// Turns the events of one session into the lines of its log: numbers them, links them, signs checkpoints and the end.
// One thread. Memory only: the caller keeps the bytes, see file_sink.hpp. Hardened against hostile field values.
//
// A line: {"seq":1,"time":"2026-11-27T23:59:59.000000Z","session":"ID","type":"…",fields,"prev":"…","hash":"…"}\n
// A signed one has ,"signature":"BASE64" before its ,"prev":". The signature is over kSignatureContext, the value of
// "prev", a line feed, and the bytes of the line up to its ,"signature":" so it covers all that came before.

#include "audit/event.hpp"
#include "audit/json_writer.hpp"
#include "audit/key_file.hpp"
#include "audit/tally.hpp"
#include "base/result.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace sallyport::audit {

inline constexpr std::string_view kSignatureContext = "sallyport audit 1\n";
inline constexpr std::string_view kSignatureKey = ",\"signature\":\"";
inline constexpr std::string_view kCheckpointType = "audit.checkpoint";

/// What is signed: `line` up to its ,"signature":" with the hash of the line before.
std::string signed_message(std::string_view prev, std::string_view line);

/// RFC 3339, UTC, microseconds: "2026-11-27T23:59:59.000000Z".
std::string rfc3339(std::chrono::system_clock::time_point time);

class LineWriter {
 public:
  using Time = std::chrono::system_clock::time_point;

  LineWriter(std::string session, KeyFile key);

  /// Appends the line of `event` to `out` and returns its seq. The first event is the only SessionStart, which gets the
  /// public key; nothing follows SessionEnd, which gets the counts and a signature. Error::invalid otherwise.
  /// After an error `out` may hold half a line.
  Result<std::uint64_t> add(std::string& out, Event const& event, Time time);
  /// Appends a signed audit.checkpoint. REQUIRES: add() wrote a SessionStart, and no SessionEnd.
  Result<std::uint64_t> add_checkpoint(std::string& out, Time time);
  /// Loads the private key now, so that the first signature does not wait for it.
  Result<void> prepare_to_sign();

  /// Records since the last signature.
  std::uint64_t unsigned_records() const { return unsigned_records_; }
  bool ended() const { return state_ == State::ended; }
  Tally const& tally() const { return tally_; }

 private:
  enum class State { not_started, running, ended };
  enum class Sign { no, yes };
  using WriteMembers = std::function<void(JsonWriter&)>;

  Result<std::uint64_t> add_line(std::string& out, Time time, Sign sign, WriteMembers const& write_members);
  Result<void> add_signature(std::string& out, std::size_t line_start);
  Event complete(Event const& event) const;

  std::string session_;
  KeyFile key_file_;
  std::optional<SigningKey> key_;
  State state_ = State::not_started;
  std::uint64_t seq_ = 0;
  std::uint64_t unsigned_records_ = 0;
  std::string prev_;
  Tally tally_;
};

}  // namespace sallyport::audit
