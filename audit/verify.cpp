#include "audit/verify.hpp"

#include "audit/chain.hpp"
#include "audit/line_reader.hpp"
#include "audit/line_writer.hpp"
#include "audit/record.hpp"
#include "audit/signature.hpp"

#include <array>
#include <utility>

namespace sallyport::audit {

namespace {

using Complaint = std::optional<Problem>;

std::string record_name(std::uint64_t seq) { return "record " + std::to_string(seq); }

/// Follows a log from its first line. Each check_… is one promise of the format; the first that fails names the record.
class Verifier {
 public:
  Complaint check(Line const& line);
  /// What is wrong with the end. REQUIRES: check() found nothing wrong with any line before.
  Complaint check_end(Expect expect) const;
  /// What is wrong with a last line that has no line feed: a live log may be caught in the middle of a write.
  Complaint check_half_line(Expect expect) const;

  Verification take() && { return std::move(done_); }

 private:
  Complaint check_bytes(Links const& links) const;
  Complaint check_place(Line const& line, Links const& links, boost::json::object const& record) const;
  Complaint check_start(boost::json::object const& record);
  Complaint check_signature(Line const& line, Links const& links);
  Complaint check_counts(boost::json::object const& record) const;

  std::uint64_t next_seq() const { return done_.records + 1; }
  Problem problem(Fault fault, std::string what) const { return {next_seq(), next_seq(), fault, std::move(what)}; }

  Verification done_;
  std::optional<PublicKey> key_;
  std::string prev_{kFirstPrev};
  bool ended_ = false;
};

Complaint Verifier::check(Line const& line) {
  if (ended_) return problem(Fault::after_end, "something stands behind session.end");
  if (line.end == Line::End::too_long) return problem(Fault::garbage, "a line longer than any record");
  auto const links = links_of(line.text);
  if (!links) return problem(Fault::garbage, links.error().what);
  if (auto wrong = check_bytes(*links)) return wrong;
  auto const record = parse_record(line.text);
  if (!record) return problem(Fault::garbage, record.error().what);
  if (auto wrong = check_place(line, *links, *record)) return wrong;

  auto const facts = facts_of(*record);
  bool const ends = facts.type == "session.end";
  if (next_seq() == 1 || facts.type == "session.start") {
    if (auto wrong = check_start(*record)) return wrong;
  }
  if (ends || facts.type == kCheckpointType) {
    if (auto wrong = check_signature(line, *links)) return wrong;
    if (auto wrong = check_counts(*record)) return wrong;
    done_.signed_records = next_seq();
  }
  done_.tally.add(facts);
  ++done_.records;
  prev_ = links->hash;
  ended_ = ends;
  return std::nullopt;
}

Complaint Verifier::check_end(Expect expect) const {
  if (ended_ || (expect == Expect::live && done_.records > 0)) return std::nullopt;
  if (done_.records == 0) return problem(Fault::cut_off, "the log is empty");
  return problem(Fault::cut_off, "no session.end: cut off here, or still being written");
}

Complaint Verifier::check_half_line(Expect expect) const {
  if (ended_) return problem(Fault::after_end, "something stands behind session.end");
  if (expect == Expect::live) return check_end(expect);
  return problem(Fault::cut_off, "the log ends in the middle of this record");
}

Complaint Verifier::check_bytes(Links const& links) const {
  if (sha256_hex(links.hashed) == links.hash) return std::nullopt;
  return problem(Fault::altered, "its bytes do not have the hash that it states");
}

Complaint Verifier::check_place(Line const& line, Links const& links, boost::json::object const& record) const {
  auto const seq = number_in(record, "seq");
  auto const session = text_in(record, "session");
  if (!done_.session.empty() && session != done_.session) {
    return problem(Fault::mixed_sessions, "it belongs to session " + std::string(session));
  }
  if (seq < next_seq()) return problem(Fault::reordered, record_name(seq) + " stands here again");
  if (seq > next_seq()) return problem(Fault::removed, record_name(seq) + " stands in its place");
  if (links.prev == prev_) return std::nullopt;
  if (seq == 1) return problem(Fault::removed, "it follows a record that is not there");
  return Problem{line.number - 1, seq - 1, Fault::altered, record_name(seq) + " follows another record than this"};
}

Complaint Verifier::check_start(boost::json::object const& record) {
  if (next_seq() != 1) return problem(Fault::no_start, "a second session.start");
  auto key = PublicKey::from_text(text_in(record, "key"));
  if (text_in(record, "type") != "session.start" || !key) {
    return problem(Fault::no_start, "the log does not begin with a session.start that names a key");
  }
  key_.emplace(std::move(*key));
  done_.key = text_in(record, "key");
  done_.session = text_in(record, "session");
  return std::nullopt;
}

Complaint Verifier::check_signature(Line const& line, Links const& links) {
  auto const signature = signature_of(line.text);
  bool const good =
      signature && key_->verifies(signed_message(links.prev, signature->signed_part), std::string(signature->base64));
  if (good) return std::nullopt;
  return problem(Fault::wrong_signature, "not signed by the key of session.start: something behind " +
                                             record_name(done_.signed_records) + " was rewritten");
}

Complaint Verifier::check_counts(boost::json::object const& record) const {
  if (text_in(record, "type") == kCheckpointType) {
    if (number_in(record, "records") == done_.records) return std::nullopt;
    return problem(Fault::wrong_counts, "it counts other records than stand before it");
  }
  auto const* stated = record.if_contains("counts");
  auto const counted = done_.tally.counts();
  bool same = stated != nullptr && stated->is_object() && stated->get_object().size() == counted.size();
  for (auto const& [name, count] : counted) same = same && number_in(stated->get_object(), name) == count;
  if (same) return std::nullopt;
  return problem(Fault::wrong_counts, "it counts other records than stand before it");
}

Result<Complaint> check_lines(LineReader& lines, Verifier& verifier, Expect expect) {
  for (;;) {
    auto const line = lines.next();
    if (!line) return line.error();
    if (!*line) return verifier.check_end(expect);
    if ((*line)->end == Line::End::end_of_file) return verifier.check_half_line(expect);
    if (auto wrong = verifier.check(**line)) return wrong;
  }
}

/// A record that is not at its place is `reordered` if it stands further on.
Result<void> look_further(LineReader& lines, Problem& problem) {
  auto const begin = "{\"seq\":" + std::to_string(problem.seq) + ",";
  for (;;) {
    auto const line = lines.next();
    if (!line) return line.error();
    if (!*line) return {};
    if (!(*line)->text.starts_with(begin)) continue;
    problem.fault = Fault::reordered;
    problem.what = record_name(problem.seq) + " stands in line " + std::to_string((*line)->number);
    return {};
  }
}

}  // namespace

std::string_view to_string(Fault fault) {
  constexpr std::array<std::string_view, 10> kWords = {"garbage",        "altered",  "removed",         "reordered",
                                                       "mixed_sessions", "no_start", "wrong_signature", "wrong_counts",
                                                       "after_end",      "cut_off"};
  return kWords.at(static_cast<std::size_t>(fault));
}

Result<Verification> verify_file(std::string const& path, Expect expect) {
  auto lines = LineReader::open(path);
  if (!lines) return lines.error();
  Verifier verifier;
  auto wrong = check_lines(*lines, verifier, expect);
  if (!wrong) return wrong.error();
  auto verification = std::move(verifier).take();
  verification.problem = std::move(*wrong);
  if (verification.problem && verification.problem->fault == Fault::removed) {
    if (auto looked = look_further(*lines, *verification.problem); !looked) return looked.error();
  }
  return verification;
}

}  // namespace sallyport::audit
