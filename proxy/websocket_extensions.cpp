#include "proxy/websocket_extensions.hpp"

#include "proxy/token.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace sallyport::proxy {
namespace {

constexpr std::string_view kField = "sec-websocket-extensions";
constexpr std::string_view kDeflate = "permessage-deflate";

/// One ';'-separated part of an extension.
struct Part {
  std::string_view name;
  std::optional<std::string_view> value;
};

std::string_view take_part(std::string_view& rest) {
  auto const end = rest.find(';');
  auto const part = trim_white_space(rest.substr(0, end));
  rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  return part;
}

/// token [ "=" ( token | quoted-string ) ], where what is quoted has to be a token, too (RFC 6455 section 9.1).
std::optional<Part> parse_part(std::string_view text) {
  auto const equals = text.find('=');
  Part part{trim_white_space(text.substr(0, equals)), std::nullopt};
  if (!is_token(part.name)) return std::nullopt;
  if (equals == std::string_view::npos) return part;
  auto value = trim_white_space(text.substr(equals + 1));
  if (value.size() >= 2 && value.front() == '"' && value.back() == '"') value = value.substr(1, value.size() - 2);
  if (!is_token(value)) return std::nullopt;
  part.value = value;
  return part;
}

/// 8 to 15, without leading zeros.
std::optional<int> window_bits(std::string_view text) {
  if (text == "8" || text == "9") return text[0] - '0';
  if (text.size() == 2 && text[0] == '1' && text[1] >= '0' && text[1] <= '5') return 10 + (text[1] - '0');
  return std::nullopt;
}

enum class Origin { offer, answer };

/// False for what is unknown, said twice, or has a value that it must not have.
bool take_parameter(DeflateParameters& to, Part const& part, Origin origin) {
  if (part.name == "server_no_context_takeover") return !part.value && !std::exchange(to.server_no_context_takeover, true);
  if (part.name == "client_no_context_takeover") return !part.value && !std::exchange(to.client_no_context_takeover, true);
  auto const bits = part.value ? window_bits(*part.value) : std::nullopt;
  if (part.name == "server_max_window_bits") return bits && !std::exchange(to.server_max_window_bits, bits);
  if (part.name != "client_max_window_bits" || std::exchange(to.may_limit_client_window, true)) return false;
  to.client_max_window_bits = bits;
  return bits || (!part.value && origin == Origin::offer);
}

std::optional<DeflateParameters> parse_parameters(std::string_view rest, Origin origin) {
  DeflateParameters parameters;
  while (!rest.empty()) {
    auto const part = parse_part(take_part(rest));
    if (!part || !take_parameter(parameters, *part, origin)) return std::nullopt;
  }
  return parameters;
}

/// Calls `visit(name, parameters)` for each extension of each field.
template <class Visit>
void for_each_extension(std::vector<Field> const& fields, Visit visit) {
  for (auto const& field : fields) {
    if (!equal_no_case(field.name, kField)) continue;
    for_each_element(field.value, [&](std::string_view rest) {
      auto const name = take_part(rest);
      visit(name, rest);
    });
  }
}

bool answers(DeflateParameters const& answer, DeflateParameters const& offer) {
  if (offer.server_no_context_takeover && !answer.server_no_context_takeover) return false;
  if (offer.server_max_window_bits && answer.server_max_window_bits.value_or(16) > *offer.server_max_window_bits)
    return false;
  if (answer.may_limit_client_window && !offer.may_limit_client_window) return false;
  return !answer.client_max_window_bits || *answer.client_max_window_bits <= offer.client_max_window_bits.value_or(15);
}

}  // namespace

std::string to_text(DeflateParameters const& parameters) {
  std::string text(kDeflate);
  if (parameters.server_no_context_takeover) text += "; server_no_context_takeover";
  if (parameters.client_no_context_takeover) text += "; client_no_context_takeover";
  if (parameters.server_max_window_bits)
    text += "; server_max_window_bits=" + std::to_string(*parameters.server_max_window_bits);
  if (parameters.may_limit_client_window) text += "; client_max_window_bits";
  if (parameters.client_max_window_bits) text += "=" + std::to_string(*parameters.client_max_window_bits);
  return text;
}

std::vector<DeflateParameters> offered_deflate(std::vector<Field> const& fields) {
  std::vector<DeflateParameters> offers;
  for_each_extension(fields, [&](std::string_view name, std::string_view rest) {
    if (name != kDeflate) return;
    if (auto const offer = parse_parameters(rest, Origin::offer)) offers.push_back(*offer);
  });
  return offers;
}

Result<std::optional<DeflateParameters>> accepted_deflate(std::vector<Field> const& fields,
                                                          std::vector<DeflateParameters> const& offers) {
  std::optional<DeflateParameters> accepted;
  bool only_one = true;
  bool is_well_formed = true;
  for_each_extension(fields, [&](std::string_view name, std::string_view rest) {
    only_one = only_one && !accepted;
    accepted = parse_parameters(rest, Origin::answer);
    is_well_formed = is_well_formed && name == kDeflate && accepted;
  });
  if (!is_well_formed) return Error::invalid("the server accepted an extension that was not offered, or with unknown parameters");
  if (!only_one) return Error::invalid("the server accepted more than one extension");
  if (!accepted) return accepted;
  bool const fits =
      std::any_of(offers.begin(), offers.end(), [&](DeflateParameters const& offer) { return answers(*accepted, offer); });
  if (!fits) return Error::invalid("the server accepted permessage-deflate in terms that were not offered");
  return accepted;
}

}  // namespace sallyport::proxy
