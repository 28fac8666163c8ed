#include "policies/yaml_loader.hpp"

#include "base/limits.hpp"
#include "policies/bundle.hpp"
#include "policies/merge.hpp"
#include "policies/nearest.hpp"
#include "policies/quote.hpp"
#include "policies/text_file.hpp"
#include "policies/yaml_layer.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <utility>

namespace sallyport::policies {

namespace {

namespace fs = std::filesystem;

std::vector<std::string> preset_names(std::string const& preset_dir) {
  std::vector<std::string> names;
  std::error_code ec;
  for (auto const& entry : fs::directory_iterator(preset_dir, ec)) {
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string unknown_preset(std::string const& reference, std::vector<std::string> const& names) {
  std::string listed;
  for (auto const& name : names) listed += (listed.empty() ? "" : ", ") + name;
  auto const close = nearest(reference, std::vector<std::string_view>(names.begin(), names.end()));
  auto const hint = close.empty() ? "" : "did you mean '" + close + "'? ";
  return "there is no preset " + in_quotes(reference) + "; " + hint + "presets: " + listed +
         "; a file is written with a '/' or ends in .yaml";
}

/// Reads what is asked for and what that extends, each file once, what is extended first.
class LayerReader {
 public:
  LayerReader(PolicySources const& sources, Problems& problems) : sources_(sources), problems_(problems) {}

  /// `place` is where the reference stands, `folder` what a relative path is relative to.
  void read(std::string const& reference, fs::path const& folder, Place const& place) {
    if (is_policy_file(reference)) {
      auto const path = (folder / reference).lexically_normal();
      read_file_layer(path, "file " + path.string(), place);
      return;
    }
    auto const names = preset_names(sources_.preset_dir);
    if (std::find(names.begin(), names.end(), reference) == names.end()) {
      problems_.push_back({place, unknown_preset(reference, names)});
      return;
    }
    read_file_layer(fs::path(sources_.preset_dir) / (reference + ".yaml"), "preset " + reference, place);
  }

  std::vector<Layer> take() { return std::move(layers_); }

 private:
  void read_file_layer(fs::path const& path, std::string label, Place const& place) {
    std::error_code ec;
    auto const identity = fs::weakly_canonical(path, ec).string();
    if (std::find(open_.begin(), open_.end(), identity) != open_.end()) {
      problems_.push_back({place, label + " extends itself, directly or through others"});
      return;
    }
    if (done_.count(identity) != 0) return;
    if (open_.size() >= limits::kMaxPolicyDepth) {
      problems_.push_back({place, "more than " + std::to_string(limits::kMaxPolicyDepth) + " policies extend one another"});
      return;
    }
    auto bytes = read_text_file(path.string());
    if (!bytes) {
      problems_.push_back({place, in_quotes(path.string()) + " " + bytes.error().what});
      return;
    }
    auto layer = read_layer(path.string(), std::move(*bytes), sources_.home, problems_);
    done_.insert(identity);
    if (!layer) return;
    open_.push_back(identity);
    for (auto const& base : layer->extends) read(base.text, path.parent_path(), base.place);
    open_.pop_back();
    layer->label = std::move(label);
    layer->path = path.string();
    if (layer->name.empty()) layer->name = path.stem().string();
    read_imports(layer->dlp.imports, path.parent_path());
    layers_.push_back(std::move(*layer));
  }

  void read_imports(std::vector<DetectorImport>& imports, fs::path const& folder) {
    for (auto& each : imports) {
      each.path = (folder / each.path).lexically_normal().string();
      auto text = read_text_file(each.path);
      if (text) each.text = *std::move(text);
      if (!text) problems_.push_back({each.place, in_quotes(each.path) + " " + text.error().what});
    }
  }

  PolicySources const& sources_;
  Problems& problems_;
  std::vector<std::string> open_;  // the extends chain that leads here
  std::set<std::string> done_;
  std::vector<Layer> layers_;
};

std::vector<Layer> read_layers(PolicySources const& sources, Problems& problems) {
  LayerReader reader(sources, problems);
  for (auto const& reference : sources.policies) reader.read(reference, "", Place{"--policy", 0, 0});
  auto layers = reader.take();
  for (auto const& text : sources.allow) {
    if (auto layer = allow_layer(text, problems)) layers.push_back(std::move(*layer));
  }
  return layers;
}

/// "# Verified: 2026-11-27 with npm 11" -> "2026-11-27"
std::string date_in(std::string_view line) {
  constexpr std::string_view kPrefix = "# Verified: ";
  return line.starts_with(kPrefix) ? std::string(line.substr(kPrefix.size(), 10)) : std::string();
}

}  // namespace

std::shared_ptr<Policy const> load_policy(PolicySources const& sources, Problems& problems) {
  auto layers = read_layers(sources, problems);
  return problems.empty() ? merge_layers(std::move(layers), problems) : nullptr;
}

Result<LoadedPolicy> load_policy_for_sharing(PolicySources const& sources) {
  Problems problems;
  LoadedPolicy loaded;
  auto layers = read_layers(sources, problems);
  loaded.bundle = pack_layers(layers, sources.home);
  for (auto const& layer : layers) {
    if (!layer.path.empty()) loaded.files.push_back(layer.path);
    for (auto const& each : layer.dlp.imports) loaded.files.push_back(each.path);
  }
  if (problems.empty()) loaded.policy = merge_layers(std::move(layers), problems);
  if (loaded.policy == nullptr) return as_error(problems);
  return loaded;
}

Result<std::shared_ptr<Policy const>> load_policy(PolicySources const& sources) {
  Problems problems;
  auto policy = load_policy(sources, problems);
  if (policy == nullptr) return as_error(problems);
  return policy;
}

Result<std::vector<PresetInfo>> list_presets(std::string const& preset_dir) {
  std::vector<PresetInfo> presets;
  for (auto const& name : preset_names(preset_dir)) {
    auto const path = preset_dir + "/" + name + ".yaml";
    std::ifstream file(path);
    std::string description;
    std::string verified;
    std::getline(file, description);
    std::getline(file, verified);
    if (description.starts_with("# ")) description.erase(0, 2);
    presets.push_back({name, description, date_in(verified), path});
  }
  if (presets.empty())
    return Error{Code::invalid, 0, "no presets in " + in_quotes(preset_dir) + "; is Sallyport installed whole?"};
  return presets;
}

}  // namespace sallyport::policies
