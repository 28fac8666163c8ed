#include "policies/condition.hpp"

#include "policies/text_glob.hpp"

#include <algorithm>
#include <utility>

namespace sallyport::policies {

namespace {

using Parameter = std::pair<std::string, std::string>;

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

std::vector<Parameter> parameters_of(std::string_view query, Quantifier quantifier) {
  std::string_view const separators = quantifier == Quantifier::any ? "&;" : "&";
  std::vector<Parameter> parameters;
  while (!query.empty()) {
    auto const end = std::min(query.find_first_of(separators), query.size());
    auto const one = query.substr(0, end);
    auto const equals = std::min(one.find('='), one.size());
    parameters.emplace_back(decoded_parameter(one.substr(0, equals)),
                            decoded_parameter(one.substr(std::min(equals + 1, one.size()))));
    query.remove_prefix(std::min(end + 1, query.size()));
  }
  return parameters;
}

/// `values` are those that the request gives under the condition's name.
bool holds(Condition const& condition, std::vector<std::string_view> const& values, Quantifier quantifier) {
  if (condition.values.empty() || values.empty()) return condition.values.empty() && values.empty();
  auto const fits = [&](std::string_view value) {
    return std::any_of(condition.values.begin(), condition.values.end(),
                       [&](std::string const& glob) { return text_matches(glob, value); });
  };
  return quantifier == Quantifier::any ? std::any_of(values.begin(), values.end(), fits)
                                       : std::all_of(values.begin(), values.end(), fits);
}

}  // namespace

std::string decoded_parameter(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    bool const escaped = text[i] == '%' && i + 2 < text.size() && hex_value(text[i + 1]) >= 0 && hex_value(text[i + 2]) >= 0;
    if (escaped) {
      out += static_cast<char>(hex_value(text[i + 1]) * 16 + hex_value(text[i + 2]));
      i += 2;
    } else {
      out += text[i] == '+' ? ' ' : text[i];
    }
  }
  return out;
}

bool query_holds(std::vector<Condition> const& conditions, std::string_view query, Quantifier quantifier) {
  if (conditions.empty()) return true;
  auto const parameters = parameters_of(query, quantifier);
  return std::all_of(conditions.begin(), conditions.end(), [&](Condition const& condition) {
    std::vector<std::string_view> values;
    for (auto const& [name, value] : parameters) {
      if (name == condition.name) values.push_back(value);
    }
    return holds(condition, values, quantifier);
  });
}

bool headers_hold(std::vector<Condition> const& conditions, std::vector<HeaderField> const& fields, Quantifier quantifier) {
  return std::all_of(conditions.begin(), conditions.end(), [&](Condition const& condition) {
    std::vector<std::string_view> values;
    for (auto const& field : fields) {
      bool const same = field.name.size() == condition.name.size() &&
                        std::equal(field.name.begin(), field.name.end(), condition.name.begin(), [](char a, char b) {
                          return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
                        });
      if (same) values.push_back(field.value);
    }
    return holds(condition, values, quantifier);
  });
}

}  // namespace sallyport::policies
