#include "cli/project_facts.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <array>

namespace sallyport::cli {
namespace {

struct Sign {
  char const* file;  // fnmatch(3)
  char const* preset;
};

constexpr std::array<Sign, 17> kSigns = {{{"package.json", "npm"},
                                          {"pyproject.toml", "pypi"},
                                          {"requirements*.txt", "pypi"},
                                          {"setup.py", "pypi"},
                                          {"Pipfile", "pypi"},
                                          {"Cargo.toml", "cargo"},
                                          {"go.mod", "go"},
                                          {"pom.xml", "maven"},
                                          {"build.gradle", "maven"},
                                          {"build.gradle.kts", "maven"},
                                          {"Gemfile", "rubygems"},
                                          {"*.csproj", "nuget"},
                                          {"*.fsproj", "nuget"},
                                          {"*.sln", "nuget"},
                                          {"environment.yml", "conda"},
                                          {"environment.yaml", "conda"},
                                          {"debian", "debian"}}};

}  // namespace

Result<std::vector<PresetChoice>> presets_for(std::filesystem::path const& project) {
  std::vector<std::string> names;
  std::error_code ec;
  for (std::filesystem::directory_iterator at(project, ec), end; !ec && at != end; at.increment(ec))
    names.push_back(at->path().filename().string());
  if (ec) return Error::os(ec.value(), project.string());
  std::ranges::sort(names);
  std::vector<PresetChoice> choices;
  for (auto const& [file, preset] : kSigns) {
    auto const found = std::ranges::find_if(names, [&](auto const& name) { return ::fnmatch(file, name.c_str(), FNM_PERIOD) == 0; });
    if (found != names.end() && std::ranges::find(choices, preset, &PresetChoice::preset) == choices.end())
      choices.push_back({preset, *found});
  }
  return choices;
}

}  // namespace sallyport::cli
