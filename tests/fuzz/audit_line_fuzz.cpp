// Whatever bytes a value holds, its record is one line, one object, in its place, and says what happened. And whatever
// bytes a line holds, taking it apart gives parts of that line or an error.

#include "audit/chain.hpp"
#include "audit/line_writer.hpp"
#include "audit/record.hpp"
#include "base/check.hpp"

#include <boost/json/object.hpp>

#include <algorithm>
#include <cstdint>

namespace {

using namespace sallyport;
using namespace sallyport::audit;

EgressRequest request_of(std::string const& text) {
  EgressRequest request;
  request.method = request.host = request.path = request.rule = request.detail = request.sni = text;
  request.verdict = "deny";
  request.alpn = {text, text};
  request.process = Process{1, text, {text}, {2}};
  return request;
}

void check_line(std::string const& line) {
  auto const is_control = [](char byte) { return static_cast<unsigned char>(byte) < 0x20 || byte == 0x7f; };
  check(std::count_if(line.begin(), line.end(), is_control) == 1 && line.back() == '\n', "one line without controls");
  auto const text = std::string_view(line).substr(0, line.size() - 1);
  auto const record = parse_record(text);
  check(record.has_value(), "one JSON object in UTF-8");
  check(number_in(*record, "seq") == 2 && text_in(*record, "session") == "s", "in its place");
  check(text_in(*record, "type") == "egress.request" && text_in(*record, "verdict") == "deny", "says what happened");
  auto const links = links_of(text);
  check(links.has_value() && sha256_hex(links->hashed) == links->hash, "linked");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string const text(reinterpret_cast<char const*>(data), size);
  LineWriter writer("s", KeyFile{});
  std::string start;
  std::string line;
  check(writer.add(start, SessionStart{}, {}).has_value(), "the session starts");
  check(writer.add(line, request_of(text), {}).has_value(), "every value can be written");
  check_line(line);

  if (auto const links = links_of(text))
    check(links->hashed.size() < text.size(), "the hash is outside of what it is over");
  if (auto const signature = signature_of(text))
    check(text.starts_with(signature->signed_part), "a part of the line is signed");
  if (auto const record = parse_record(text)) check(!facts_of(*record).type.empty(), "a record has a type");
  return 0;
}
