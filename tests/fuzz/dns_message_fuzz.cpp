// The answer to a question repeats it byte for byte, and asking what it repeats is asking the same.

#include "base/check.hpp"
#include "proxy/dns_message.hpp"

#include <cstdint>

namespace {

using namespace sallyport;
using namespace sallyport::proxy;

constexpr std::size_t kHeaderBytes = 12;

void check_answer(dns::Question const& question) {
  auto const address = policies::IpAddress::from_v4({198, 18, 0, 1});
  auto const answer = dns::answer(question, dns::Rcode::no_error, address, 60);
  check(answer.substr(kHeaderBytes, question.wire.size()) == question.wire, "an answer repeats the question");
  check(!dns::query_id(answer), "an answer is no query");
  std::string asked = answer.substr(0, 2) + std::string("\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00", 10) + question.wire;
  auto const again = dns::parse_question(asked);
  check(again && again->name == question.name && again->qtype == question.qtype && again->id == question.id,
        "the same question");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string_view const message(reinterpret_cast<char const*>(data), size);
  auto const question = dns::parse_question(message);
  if (!question) return 0;
  check(dns::query_id(message) == question->id, "a question has an id");
  check(question->name.size() <= 253, "a name is no longer than names are");
  check_answer(*question);
  return 0;
}
