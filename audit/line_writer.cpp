#include "audit/line_writer.hpp"

#include "audit/chain.hpp"
#include "audit/event_writer.hpp"
#include "base/limits.hpp"

#include <array>
#include <cstdio>
#include <ctime>
#include <utility>

namespace sallyport::audit {

namespace {

constexpr TextLimits kTextLimits{limits::kMaxAuditStringBytes, limits::kMaxAuditRecordTextBytes};

Error misuse(char const* what) { return Error{Code::invalid, 0, std::string("audit log: ") + what}; }

}  // namespace

std::string signed_message(std::string_view prev, std::string_view line) {
  std::string message(kSignatureContext);
  message += prev;
  message += '\n';
  message += line;
  return message;
}

std::string rfc3339(std::chrono::system_clock::time_point time) {
  auto const second = std::chrono::floor<std::chrono::seconds>(time);
  auto const micros = std::chrono::duration_cast<std::chrono::microseconds>(time - second).count();
  std::time_t const unix_time = std::chrono::system_clock::to_time_t(second);
  std::tm parts{};
  ::gmtime_r(&unix_time, &parts);
  std::array<char, 40> text;
  auto const size = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &parts);
  std::snprintf(text.data() + size, text.size() - size, ".%06dZ", static_cast<int>(micros));
  return text.data();
}

LineWriter::LineWriter(std::string session, KeyFile key)
    : session_(std::move(session)), key_file_(std::move(key)), prev_(kFirstPrev) {}

Result<std::uint64_t> LineWriter::add(std::string& out, Event const& event, Time time) {
  bool const starts = std::holds_alternative<SessionStart>(event);
  bool const ends = std::holds_alternative<SessionEnd>(event);
  if (state_ == State::ended) return misuse("a record after session.end");
  if (starts != (state_ == State::not_started)) return misuse("session.start is the first record, and only that");

  auto write = [&](JsonWriter& writer) {
    if (starts || ends) {
      write_members(writer, complete(event));
    } else {
      write_members(writer, event);
    }
  };
  auto seq = add_line(out, time, ends ? Sign::yes : Sign::no, write);
  if (!seq) return seq;
  tally_.add(facts_of(event));
  state_ = ends ? State::ended : State::running;
  return seq;
}

Result<std::uint64_t> LineWriter::add_checkpoint(std::string& out, Time time) {
  if (state_ != State::running) return misuse("a checkpoint outside the session");
  auto write = [this](JsonWriter& writer) {
    writer.key("type");
    writer.text(kCheckpointType);
    writer.key("records");
    writer.number(seq_ - 1);
  };
  auto seq = add_line(out, time, Sign::yes, write);
  if (seq) tally_.add({kCheckpointType, {}, {}, {}, {}});
  return seq;
}

Result<void> LineWriter::prepare_to_sign() {
  if (key_) return {};
  auto key = key_file_.signing_key();
  if (!key) return key.error();
  key_.emplace(std::move(*key));
  return {};
}

Result<std::uint64_t> LineWriter::add_line(std::string& out, Time time, Sign sign, WriteMembers const& write_members) {
  auto const start = out.size();
  JsonWriter writer(out, kTextLimits);
  ++seq_;
  writer.open('{');
  writer.key("seq");
  writer.number(seq_);
  writer.key("time");
  writer.text(rfc3339(time));
  writer.key("session");
  writer.text(session_);
  write_members(writer);
  if (sign == Sign::yes) {
    if (auto added = add_signature(out, start); !added) return added.error();
  }
  ((out += kPrevKey) += prev_) += '"';
  prev_ = sha256_hex(std::string_view(out).substr(start));
  (((out += kHashKey) += prev_) += kLineEnd) += '\n';
  unsigned_records_ = sign == Sign::yes ? 0 : unsigned_records_ + 1;
  return seq_;
}

Result<void> LineWriter::add_signature(std::string& out, std::size_t line_start) {
  if (auto ready = prepare_to_sign(); !ready) return ready.error();
  auto const signature = key_->sign(signed_message(prev_, std::string_view(out).substr(line_start)));
  ((out += kSignatureKey) += signature) += '"';
  return {};
}

/// The event with the parts that only the writer knows.
Event LineWriter::complete(Event const& event) const {
  auto completed = event;
  if (auto* start = std::get_if<SessionStart>(&completed)) start->key = key_file_.public_text;
  if (auto* end = std::get_if<SessionEnd>(&completed)) end->counts = tally_.counts();
  return completed;
}

}  // namespace sallyport::audit
