#include "policies/yaml_tests.hpp"

#include "policies/quote.hpp"
#include "policies/yaml_map.hpp"

#include <utility>

namespace sallyport::policies {

namespace {

/// request = METHOD " " URL
void read_request(YamlNode const& node, PolicyTest& test, Problems& problems) {
  auto const text = read_text(node, "request", problems);
  if (!text) return;
  auto const space = text->find(' ');
  bool const two_words = space != std::string::npos && space > 0 && space + 1 < text->size() &&
                         text->find(' ', space + 1) == std::string::npos;
  if (!two_words) {
    problems.push_back({node.place, in_quotes(*text) + " is not a request; write GET https://example.com/path"});
    return;
  }
  test.method = text->substr(0, space);
  test.url = text->substr(space + 1);
}

Action read_expect(YamlNode const& node, Problems& problems) {
  constexpr std::string_view kWords[] = {"deny", "allow", "ask"};
  constexpr Action kActions[] = {Action::deny, Action::allow, Action::ask};
  auto const word = read_word(node, "expect", kWords, problems);
  return word ? kActions[*word] : Action::deny;
}

std::map<std::string, std::string> read_fields(YamlNode const& node, Problems& problems) {
  std::map<std::string, std::string> fields;
  if (node.kind != YamlNode::Kind::map) {
    problems.push_back({node.place, "'headers' of a test must be a mapping, as in {accept: text/html}"});
    return fields;
  }
  for (auto const& [key, value] : node.fields) {
    auto text = read_text(value, key.text, problems);
    if (text) fields.insert_or_assign(key.text, std::move(*text));
  }
  return fields;
}

PolicyTest read_test(YamlNode const& node, Problems& problems) {
  YamlMap const map(node, Section::test, problems);
  PolicyTest test;
  test.place = node.place;
  if (node.kind != YamlNode::Kind::map) return test;
  for (std::string_view key : {"request", "expect"}) {
    if (map.find(key) == nullptr) {
      problems.push_back({node.place, "a test needs " + in_quotes(key) + ", as in {request: GET https://example.com/, expect: deny}"});
    }
  }
  if (auto const* value = map.find("request")) read_request(*value, test, problems);
  if (auto const* value = map.find("expect")) test.expect = read_expect(*value, problems);
  if (auto const* value = map.find("headers")) test.headers = read_fields(*value, problems);
  if (auto const* value = map.find("process")) test.process = read_text(*value, "process", problems).value_or("");
  if (auto const* value = map.find("rule")) test.rule = read_text(*value, "rule", problems).value_or("");
  if (auto const* value = map.find("reason")) test.reason = read_text(*value, "reason", problems).value_or("");
  return test;
}

}  // namespace

std::vector<PolicyTest> read_tests(YamlNode const& node, Problems& problems) {
  std::vector<PolicyTest> tests;
  if (node.kind == YamlNode::Kind::null) return tests;
  if (node.kind != YamlNode::Kind::sequence) {
    problems.push_back({node.place, "'tests' must be a list, each entry beginning with '-'"});
    return tests;
  }
  for (auto const& item : node.items) tests.push_back(read_test(item, problems));
  return tests;
}

}  // namespace sallyport::policies
