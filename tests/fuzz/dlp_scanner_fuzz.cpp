// Any bytes, cut anywhere: no crash, and the same findings as in one piece.

#include "dlp/scanner.hpp"

#include <cstdint>
#include <string_view>

namespace {

using namespace sallyport::dlp;

Scanner::Setup const& setup() {
  static Scanner::Setup const made{
      RuleSet::builtin(), std::make_shared<KnownValues const>(std::vector<KnownValue>{{"A", "known-value-of-16+"}}, "salt"),
      "salt"};
  return made;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  // SAFETY: the fuzzer's bytes are read as characters.
  std::string_view bytes(reinterpret_cast<char const*>(data), size);
  if (bytes.empty()) return 0;
  auto cut = static_cast<unsigned char>(bytes[0]) % bytes.size();
  bytes.remove_prefix(1);
  auto whole = scan_message(setup(), bytes);
  Scanner scanner(setup());
  scanner.feed(bytes.substr(0, cut));
  scanner.feed(bytes.substr(std::min(cut, bytes.size())));
  scanner.finish();
  if (scanner.take_findings() != whole) __builtin_trap();
  return 0;
}
