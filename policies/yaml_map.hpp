#pragma once
// One mapping of a policy file, its keys checked, and its values read with their types. Any thread. Everything that is
// wrong is added to `problems`; what was readable is still returned, so that one run finds many problems.

#include "policies/policy_keys.hpp"
#include "policies/yaml_document.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sallyport::policies {

/// Lifetime: the node outlives it.
class YamlMap {
 public:
  /// Adds a problem for each key that is unknown, given twice, or not available in this version; and if `node` is no
  /// mapping.
  YamlMap(YamlNode const& node, Section section, Problems& problems);

  /// The value of `key`, or null.
  YamlNode const* find(std::string_view key) const;
  /// Where `key` stands; where the mapping stands if it is absent.
  Place place_of(std::string_view key) const;

 private:
  YamlNode const& node_;
};

/// A scalar, as written.
std::optional<std::string> read_text(YamlNode const& node, std::string_view key, Problems& problems);
/// The scalars of a list that is not empty.
std::vector<YamlNode const*> read_list(YamlNode const& node, std::string_view key, Problems& problems);
/// `true` switches it on; `false` is as if it were absent.
bool read_switch(YamlNode const& node, std::string_view key, Problems& problems);
/// Index into `words` of a scalar that must be one of them.
std::optional<std::size_t> read_word(YamlNode const& node, std::string_view key, std::span<std::string_view const> words,
                                     Problems& problems);

}  // namespace sallyport::policies
