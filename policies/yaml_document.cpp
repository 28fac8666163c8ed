#include "policies/yaml_document.hpp"

#include "base/limits.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>
#include <algorithm>
#include <sstream>
#include <utility>

namespace sallyport::policies {

namespace {

/// Leaves yaml-cpp's parser early; caught in parse_yaml.
struct Refused {
  Problem problem;
};

/// Builds the tree from the parser's events.
class TreeBuilder final : public YAML::EventHandler {
 public:
  explicit TreeBuilder(std::string file) : file_(std::move(file)) {}
  YamlNode take_root() { return std::move(root_); }

  void OnDocumentStart(YAML::Mark const&) override {}
  void OnDocumentEnd() override {}
  void OnAlias(YAML::Mark const& mark, YAML::anchor_t) override {
    refuse(mark, "aliases are not used in policy files; write the value out");
  }
  void OnNull(YAML::Mark const& mark, YAML::anchor_t anchor) override { add(make(mark, YamlNode::Kind::null, "", anchor)); }
  void OnScalar(YAML::Mark const& mark, std::string const& tag, YAML::anchor_t anchor, std::string const& value) override {
    auto node = make(mark, YamlNode::Kind::scalar, tag, anchor);
    node.text = value;
    node.quoting = tag == "!" ? YamlNode::Quoting::quoted : YamlNode::Quoting::plain;
    add(std::move(node));
  }
  void OnSequenceStart(YAML::Mark const& mark, std::string const& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, make(mark, YamlNode::Kind::sequence, tag, anchor));
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(YAML::Mark const& mark, std::string const& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, make(mark, YamlNode::Kind::map, tag, anchor));
  }
  void OnMapEnd() override { close(); }

 private:
  struct Frame {
    YamlNode node;
    std::optional<YamlNode> key;  // of a map, while its value is awaited
  };

  Place place(YAML::Mark const& mark) const { return Place{file_, mark.line + 1, mark.column + 1}; }

  [[noreturn]] void refuse(YAML::Mark const& mark, std::string what) const {
    throw Refused{{place(mark), std::move(what)}};
  }

  YamlNode make(YAML::Mark const& mark, YamlNode::Kind kind, std::string const& tag, YAML::anchor_t anchor) {
    if (anchor != 0) refuse(mark, "anchors are not used in policy files; write the value out");
    bool const has_tag = !tag.empty() && tag != "?" && tag != "!";
    if (has_tag) refuse(mark, "tags are not used in policy files; remove it");
    if (++nodes_ > limits::kMaxYamlNodes) refuse(mark, "too many values in one file");
    YamlNode node;
    node.kind = kind;
    node.place = place(mark);
    return node;
  }

  void open(YAML::Mark const& mark, YamlNode node) {
    if (open_.size() >= limits::kMaxYamlDepth) refuse(mark, "nested too deeply");
    open_.push_back(Frame{std::move(node), std::nullopt});
  }

  void close() {
    auto node = std::move(open_.back().node);
    open_.pop_back();
    add(std::move(node));
  }

  void add(YamlNode node) {
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    auto& [parent, key] = open_.back();
    if (parent.kind == YamlNode::Kind::sequence) {
      parent.items.push_back(std::move(node));
    } else if (!key) {
      key = std::move(node);
    } else {
      parent.fields.push_back(YamlField{std::move(*key), std::move(node)});
      key.reset();
    }
  }

  std::string file_;
  std::vector<Frame> open_;
  std::size_t nodes_ = 0;
  YamlNode root_;
};

/// NUL would end a string early in some library or other; the rest is no text either.
std::optional<Place> first_control_byte(std::string const& file, std::string_view text) {
  auto const is_control = [](char c) { return (c >= 0 && c < 0x20 && c != '\n' && c != '\r' && c != '\t') || c == 0x7f; };
  auto const at = std::find_if(text.begin(), text.end(), is_control);
  if (at == text.end()) return std::nullopt;
  auto const before = text.substr(0, static_cast<std::size_t>(at - text.begin()));
  auto const line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  return Place{file, static_cast<int>(1 + std::count(before.begin(), before.end(), '\n')),
               static_cast<int>(1 + before.size() - line_start)};
}

/// yaml-cpp reports the end of input as line -1.
Place place_of(std::string const& file, YAML::Mark const& mark) {
  return Place{file, std::max(mark.line, 0) + 1, std::max(mark.column, 0) + 1};
}

}  // namespace

std::optional<YamlNode> parse_yaml(std::string const& file, std::string const& text, Problems& problems) {
  if (text.size() > limits::kMaxPolicyFileBytes) {
    problems.push_back({{file, 0, 0}, "larger than 16 MiB"});
    return std::nullopt;
  }
  if (auto place = first_control_byte(file, text)) {
    problems.push_back({*place, "a control byte; policy files are UTF-8 text"});
    return std::nullopt;
  }
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    TreeBuilder builder(file);
    parser.HandleNextDocument(builder);
    TreeBuilder second(file);
    if (parser.HandleNextDocument(second)) {
      problems.push_back({second.take_root().place, "a second document; one policy is one document"});
      return std::nullopt;
    }
    return builder.take_root();
  } catch (Refused const& refused) { problems.push_back(refused.problem); } catch (YAML::Exception const& bad) {
    problems.push_back({place_of(file, bad.mark), "not valid YAML: " + bad.msg});
  }
  return std::nullopt;
}

}  // namespace sallyport::policies
