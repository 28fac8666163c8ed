#include "policies/bundle.hpp"

#include "policies/merge.hpp"
#include "policies/yaml_layer.hpp"

#include <boost/json.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace sallyport::policies {

namespace {

namespace json = boost::json;

// {"home":"/home/u","layers":[{"label":"file p.yaml","name":"p","path":"p.yaml","text":"version: 1\n…","imports":[{"path":"g.toml","text":"…"},…]},…]}
constexpr std::string_view kNotABundle = "policy bundle: not one of ours";

std::string text_of(json::object const& object, std::string_view name) {
  auto const* value = object.if_contains(name);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}

json::array packed_imports(std::vector<DetectorImport> const& imports) {
  json::array packed;
  for (auto const& each : imports) packed.push_back({{"path", each.path}, {"text", each.text}});
  return packed;
}

/// What the loader read, in the order in which the layer's own text names it.
void take_imports(json::object const& packed, std::vector<DetectorImport>& imports) {
  auto const* all = packed.if_contains("imports");
  if (all == nullptr || !all->is_array()) return;
  for (std::size_t i = 0; i < std::min(imports.size(), all->get_array().size()); ++i) {
    auto const* each = all->get_array()[i].if_object();
    if (each == nullptr) continue;
    imports[i].path = text_of(*each, "path");
    imports[i].text = text_of(*each, "text");
  }
}

/// A file's layer has a path, the one of --allow has none.
std::optional<Layer> layer_of(json::object const& packed, std::string const& home, Problems& problems) {
  auto const path = text_of(packed, "path");
  auto text = text_of(packed, "text");
  if (path.empty()) return allow_layer(text, problems);
  auto layer = read_layer(path, std::move(text), home, problems);
  if (!layer) return std::nullopt;
  layer->label = text_of(packed, "label");
  layer->name = text_of(packed, "name");
  layer->path = path;
  take_imports(packed, layer->dlp.imports);
  return layer;
}

json::value parse(std::string_view bundle) {
  json::parse_options options;
  options.allow_invalid_utf8 = true;  // a file's comments may hold any bytes
  json::error_code ec;
  return json::parse(bundle, ec, {}, options);
}

}  // namespace

std::string pack_layers(std::span<Layer const> layers, std::string const& home) {
  json::array packed;
  for (auto const& layer : layers)
    packed.push_back({{"label", layer.label}, {"name", layer.name}, {"path", layer.path}, {"text", layer.bytes}, {"imports", packed_imports(layer.dlp.imports)}});
  return json::serialize(json::object{{"home", home}, {"layers", std::move(packed)}});
}

std::shared_ptr<Policy const> unpack_policy(std::string_view bundle, Problems& problems) {
  auto const value = parse(bundle);
  auto const* object = value.if_object();
  auto const* packed = object != nullptr ? object->if_contains("layers") : nullptr;
  if (packed == nullptr || !packed->is_array()) {
    problems.push_back({Place{}, std::string(kNotABundle)});
    return nullptr;
  }
  std::vector<Layer> layers;
  for (auto const& each : packed->get_array()) {
    if (!each.is_object()) continue;
    if (auto layer = layer_of(each.get_object(), text_of(*object, "home"), problems)) layers.push_back(std::move(*layer));
  }
  return problems.empty() ? merge_layers(std::move(layers), problems) : nullptr;
}

}  // namespace sallyport::policies
