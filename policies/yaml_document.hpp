#pragma once
// YAML text -> a tree with places. Any thread. Hardened against hostile bytes: no aliases, anchors, tags or NUL bytes;
// depth and number of values are bounded. Does not know what a policy is.

#include "policies/problem.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sallyport::policies {

struct YamlField;

struct YamlNode {
  enum class Kind { null, scalar, sequence, map };
  enum class Quoting { plain, quoted };
  Kind kind = Kind::null;
  Quoting quoting = Quoting::plain;
  std::string text;               // of a scalar
  std::vector<YamlNode> items;    // of a sequence
  std::vector<YamlField> fields;  // of a map, in order, duplicates included
  Place place;
};

struct YamlField {
  YamlNode key;
  YamlNode value;
};

/// The one document in `text`; nullopt after a problem was added. `file` is only a name for places.
std::optional<YamlNode> parse_yaml(std::string const& file, std::string const& text, Problems& problems);

}  // namespace sallyport::policies
