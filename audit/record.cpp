#include "audit/record.hpp"

#include "audit/chain.hpp"
#include "audit/line_writer.hpp"

#include <boost/json/parse.hpp>

#include <algorithm>
#include <array>
#include <string>

namespace sallyport::audit {

namespace {

namespace json = boost::json;

constexpr std::size_t kHashDigits = kFirstPrev.size();
constexpr std::size_t kSignatureDigits = 88;  // 64 bytes in base64
constexpr std::size_t kMaxDepth = 4;

bool is_hash(std::string_view text) {
  return text.size() == kHashDigits && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// If `text` ends in `key`, `digits` bytes and `end`: gives those bytes and takes all three off `text`.
std::optional<std::string_view> take_last(std::string_view& text, std::string_view key, std::size_t digits,
                                          std::string_view end) {
  auto const size = key.size() + digits + end.size();
  if (text.size() < size || !text.ends_with(end)) return std::nullopt;
  auto const tail = text.substr(text.size() - size);
  if (!tail.starts_with(key)) return std::nullopt;
  text.remove_suffix(size);
  return tail.substr(key.size(), digits);
}

Error not_a_record(std::string what) { return Error{Code::invalid, 0, "not an audit record: " + std::move(what)}; }

}  // namespace

Result<Links> links_of(std::string_view line) {
  auto rest = line;
  auto const hash = take_last(rest, kHashKey, kHashDigits, kLineEnd);
  auto const hashed = rest;
  auto const prev = take_last(rest, kPrevKey, kHashDigits, "\"");
  if (!hash || !prev || !is_hash(*hash) || !is_hash(*prev)) return not_a_record("it does not end in \"prev\" and \"hash\"");
  return Links{hashed, *prev, *hash};
}

std::optional<Signature> signature_of(std::string_view line) {
  auto const links = links_of(line);
  if (!links) return std::nullopt;
  auto rest = links->hashed;
  take_last(rest, kPrevKey, kHashDigits, "\"");
  auto const base64 = take_last(rest, kSignatureKey, kSignatureDigits, "\"");
  if (!base64) return std::nullopt;
  return Signature{rest, *base64};
}

Result<json::object> parse_record(std::string_view line) {
  json::parse_options options;
  options.max_depth = kMaxDepth;
  json::error_code ec;
  auto value = json::parse(line, ec, {}, options);
  if (ec) return not_a_record(ec.message());
  if (!value.is_object()) return not_a_record("not a JSON object");
  auto& record = value.get_object();
  if (number_in(record, "seq") == 0) return not_a_record("no seq");
  for (auto const* name : {"time", "session", "type"}) {
    if (text_in(record, name).empty()) return not_a_record(std::string("no ") + name);
  }
  return std::move(record);
}

std::string_view text_in(json::object const& record, std::string_view name) {
  auto const* value = record.if_contains(name);
  if (value == nullptr || !value->is_string()) return {};
  return value->get_string();
}

std::uint64_t number_in(json::object const& record, std::string_view name) {
  auto const* value = record.if_contains(name);
  if (value == nullptr) return 0;
  if (value->is_uint64()) return value->get_uint64();
  return value->is_int64() && value->get_int64() > 0 ? static_cast<std::uint64_t>(value->get_int64()) : 0;
}

RecordFacts facts_of(json::object const& record) {
  auto const subjects = {text_in(record, "host"), text_in(record, "name"), text_in(record, "exe")};
  auto const subject = std::find_if(subjects.begin(), subjects.end(), [](auto text) { return !text.empty(); });
  return {text_in(record, "type"), text_in(record, "phase"), text_in(record, "verdict"),
          subject == subjects.end() ? std::string_view() : *subject, text_in(record, "reason")};
}

}  // namespace sallyport::audit
