#include "proxy/token.hpp"

#include <algorithm>
#include <array>

namespace sallyport::proxy {
namespace {

enum CharClass : unsigned char { kTokenChar = 1, kFieldChar = 2, kVisibleChar = 4 };

constexpr bool is_alphanumeric(int c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

constexpr std::array<unsigned char, 256> make_classes() {
  constexpr std::string_view kTokenSymbols = "!#$%&'*+-.^_`|~";
  std::array<unsigned char, 256> classes{};
  for (int c = 0; c < 256; ++c) {
    bool const visible = c > 0x20 && c < 0x7f;
    bool const token =
        is_alphanumeric(c) || (visible && kTokenSymbols.find(static_cast<char>(c)) != std::string_view::npos);
    bool const field = visible || c == ' ' || c == '\t' || c >= 0x80;
    classes[static_cast<std::size_t>(c)] =
        static_cast<unsigned char>((token ? kTokenChar : 0) | (field ? kFieldChar : 0) | (visible ? kVisibleChar : 0));
  }
  return classes;
}

constexpr auto kClasses = make_classes();

bool all_of_class(std::string_view text, CharClass wanted) {
  return std::all_of(text.begin(), text.end(),
                     [wanted](char c) { return (kClasses[static_cast<unsigned char>(c)] & wanted) != 0; });
}

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

bool is_token(std::string_view text) { return !text.empty() && all_of_class(text, kTokenChar); }
bool is_field_content(std::string_view text) { return all_of_class(text, kFieldChar); }
bool is_visible_ascii(std::string_view text) { return !text.empty() && all_of_class(text, kVisibleChar); }

bool equal_bytes_no_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) { return lower(x) == lower(y); });
}

std::string_view trim_white_space(std::string_view text) {
  constexpr std::string_view kWhiteSpace = " \t";
  auto const first = text.find_first_not_of(kWhiteSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kWhiteSpace) - first + 1);
}

}  // namespace sallyport::proxy
