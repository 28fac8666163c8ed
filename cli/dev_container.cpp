#include "cli/dev_container.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

namespace sallyport::cli {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

constexpr std::string_view kOpening = "${templateOption:";
constexpr char kHarmless[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ,._-/:@+";

Result<std::string> read_file(fs::path const& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return Error{Code::invalid, 0, "cannot read " + path.string()};
  return std::string(std::istreambuf_iterator<char>(file), {});
}

std::optional<json::object> parse_object(std::string_view text) {
  boost::system::error_code ec;
  auto value = json::parse(json::string_view(text.data(), text.size()), ec);
  if (ec || !value.is_object()) return std::nullopt;
  return std::move(value.get_object());
}

std::string text_at(json::object const& in, char const* key) {
  auto const* value = in.if_contains(key);
  auto const* text = value != nullptr ? value->if_string() : nullptr;
  return text != nullptr ? std::string(text->data(), text->size()) : "";
}

Result<std::string> replace_options(std::string const& text, std::map<std::string, std::string> const& options) {
  std::string out;
  for (std::size_t at = 0;;) {
    auto const opening = text.find(kOpening, at);
    auto const closing = opening == std::string::npos ? opening : text.find('}', opening);
    if (closing == std::string::npos) return out + text.substr(at);
    auto const name = text.substr(opening + kOpening.size(), closing - opening - kOpening.size());
    auto const option = options.find(name);
    if (option == options.end()) return Error{Code::invalid, 0, "the template has no option '" + name + "'"};
    if (option->second.find_first_not_of(kHarmless) != std::string::npos)
      return Error{Code::invalid, 0, name + " is '" + option->second + "': expected letters, digits and ,._-/:@+"};
    out += text.substr(at, opening - at) + option->second;
    at = closing + 1;
  }
}

mode_t mode_of(fs::path const& path) {
  std::error_code ec;
  bool const runs = (fs::status(path, ec).permissions() & fs::perms::owner_exec) != fs::perms::none;
  return runs ? 0755 : 0644;
}

}  // namespace

Result<DevContainerTemplate> read_template(std::string const& folder) {
  auto const path = folder + "/devcontainer-template.json";
  auto const text = read_file(path);
  if (!text) return text.error();
  auto const object = parse_object(*text);
  auto const* options = object ? object->if_contains("options") : nullptr;
  if (options == nullptr || !options->is_object()) return Error{Code::invalid, 0, path + " is not a template: it has no options"};
  DevContainerTemplate found{folder, {}};
  for (auto const& [name, option] : options->get_object())
    if (option.is_object()) found.options.emplace(name, text_at(option.get_object(), "default"));
  return found;
}

Result<std::vector<NewFile>> fill_in(DevContainerTemplate const& from, std::map<std::string, std::string> const& options) {
  std::vector<NewFile> files;
  std::error_code ec;
  auto const follow = fs::directory_options::follow_directory_symlink;  // what templates share stands once
  for (fs::recursive_directory_iterator at(fs::path(from.folder) / ".devcontainer", follow, ec), end; !ec && at != end; at.increment(ec)) {
    if (!at->is_regular_file()) continue;
    auto const text = read_file(at->path());
    if (!text) return text.error();
    auto filled = replace_options(*text, options);
    if (!filled) return filled.error();
    files.push_back({at->path().lexically_relative(from.folder).string(), *std::move(filled), mode_of(at->path())});
  }
  if (ec) return Error::os(ec.value(), from.folder);
  std::ranges::sort(files, {}, &NewFile::path);
  return files;
}

std::string purpose_of(std::string_view content) {
  if (auto const object = parse_object(content)) return text_at(*object, "description");
  while (!content.empty()) {
    auto const line = content.substr(0, content.find('\n'));
    auto const start = line.starts_with("// ") ? 3u : line.starts_with("# ") ? 2u : 0u;
    if (start != 0) return std::string(line.substr(start));
    if (!line.starts_with("#!")) return "";
    content.remove_prefix(std::min(line.size() + 1, content.size()));
  }
  return "";
}

}  // namespace sallyport::cli
