#pragma once
// One DNS question in, one answer out. No I/O. Hardened against hostile bytes. Sources: RFC 1035, RFC 6891 (EDNS), RFC 9460 (HTTPS, SVCB).

#include "base/result.hpp"
#include "policies/address_class.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sallyport::proxy::dns {

inline constexpr std::uint16_t kTypeA = 1, kTypeAaaa = 28;
enum class Rcode : std::uint8_t { no_error = 0, form_error = 1, server_failure = 2, name_error = 3, not_implemented = 4, refused = 5 };

struct Question {
  std::uint16_t id = 0;
  bool recursion_desired = false;
  std::string name;            // labels joined with '.', raw bytes, no root dot: not canonical yet
  std::uint16_t qtype = 0;
  std::uint16_t qclass = 1;
  std::string wire;            // the question section, to be repeated in the answer
  bool edns = false;
};
/// Exactly one question, opcode QUERY, no compression pointer in it, no label with a dot in it, nothing behind the message.
/// Errors: Code::unsupported for another opcode (answer not_implemented), Code::invalid and Code::limit for the rest
/// (answer form_error); query_id() says whom to answer.
Result<Question> parse_question(std::string_view message);
/// The id, when `message` has at least a header and is a query: for FORMERR and NOTIMP answers.
std::optional<std::uint16_t> query_id(std::string_view message);

/// An answer with at most one address record. `ttl` in seconds.
std::string answer(Question const& question, Rcode rcode, std::optional<policies::IpAddress> address, std::uint32_t ttl);
std::string error_answer(std::uint16_t id, Rcode rcode);
/// "A", "AAAA", "HTTPS", "TYPE65", …
std::string type_name(std::uint16_t qtype);

}  // namespace sallyport::proxy::dns
