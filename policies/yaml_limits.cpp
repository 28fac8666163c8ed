#include "policies/yaml_limits.hpp"

#include "policies/byte_size.hpp"
#include "policies/quote.hpp"
#include "policies/yaml_map.hpp"

#include <charconv>

namespace sallyport::policies {

namespace {

std::optional<std::uint64_t> read_size(YamlNode const* node, std::string_view key, Problems& problems) {
  if (node == nullptr) return std::nullopt;
  auto const text = read_text(*node, key, problems);
  if (!text) return std::nullopt;
  auto const size = parse_byte_size(*text);
  if (size) return *size;
  problems.push_back({node->place, size.error().what});
  return std::nullopt;
}

std::optional<std::uint32_t> read_count(YamlNode const* node, std::string_view key, Problems& problems) {
  constexpr std::uint32_t kMax = 1'000'000;
  if (node == nullptr) return std::nullopt;
  auto const text = read_text(*node, key, problems);
  if (!text) return std::nullopt;
  std::uint32_t count = 0;
  auto const [end, failed] = std::from_chars(text->data(), text->data() + text->size(), count);
  if (failed == std::errc() && end == text->data() + text->size() && count > 0 && count <= kMax) return count;
  problems.push_back({node->place, in_quotes(*text) + " is not a number from 1 to 1000000; to allow none, write action: deny"});
  return std::nullopt;
}

}  // namespace

RuleLimits read_limits(YamlNode const& node, Problems& problems) {
  YamlMap const map(node, Section::limits, problems);
  if (node.kind == YamlNode::Kind::map && node.fields.empty()) {
    problems.push_back({node.place, "'limits' is empty; limit something or remove the key"});
  }
  RuleLimits limits;
  limits.request_body = read_size(map.find("request_body"), "request_body", problems);
  limits.upload = read_size(map.find("upload"), "upload", problems);
  limits.requests_per_minute = read_count(map.find("requests_per_minute"), "requests_per_minute", problems);
  limits.connections = read_count(map.find("connections"), "connections", problems);
  return limits;
}

}  // namespace sallyport::policies
