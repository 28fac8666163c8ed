#include "cli/init_project.hpp"

#include "cli/dev_container.hpp"
#include "cli/dialogue.hpp"
#include "cli/new_files.hpp"
#include "cli/project_facts.hpp"
#include "policies/yaml_loader.hpp"

#include <boost/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace sallyport::cli {
namespace {

constexpr int kUsage = 2;
constexpr char kPackagePlace[] = ".devcontainer/sallyport/";

std::string joined(std::vector<std::string> const& words) {
  std::string out;
  for (auto const& word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

std::vector<std::string> split(std::string const& text) {
  std::vector<std::string> words;
  for (std::size_t at = text.find_first_not_of(" ,"); at != std::string::npos;) {
    auto const end = std::min(text.find_first_of(" ,", at), text.size());
    words.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(" ,", end);
  }
  return words;
}

class Init {
 public:
  Init(InitOptions options, Console const& console, std::FILE* in)
      : options_(std::move(options)), console_(console), dialogue_(in, console.out) {
    if (options_.workspace.empty()) options_.workspace = ".";
  }

  Result<int> run() {
    if (auto complete = complete_options(); !complete) return complete.error();
    auto const files = make_files();
    if (!files) return files.error();
    auto const in_the_way = files_in_the_way(options_.workspace, *files);
    if (!options_.json) print(*files, in_the_way);
    if (options_.dry_run) return finish(*files, in_the_way);
    if (!options_.yes) {
      auto const answer = ask("", {"Write these files?", "yes", {"yes", "no"}});
      if (!answer) return answer.error();
      if (*answer == "no") return 1;
    }
    auto const existing = options_.force ? Existing::replace : Existing::keep;
    if (auto written = write_new_files(options_.workspace, *files, existing); !written) return written.error();
    return finish(*files, in_the_way);
  }

 private:
  /// `said`, or the answer, or the default where nobody is asked.
  Result<std::string> ask(std::string const& said, Question const& question) {
    if (!said.empty() || options_.yes || options_.dry_run) return said.empty() ? question.otherwise : said;
    auto const answer = dialogue_.ask(question);
    if (answer) return *answer;
    return Error{Code::invalid, 0, "the input ended before all was answered; nothing was written. --yes takes the defaults"};
  }

  Result<void> complete_options() {
    auto const variant =
        ask(options_.variant, {"Is Sallyport inside the container (guard) or outside it (attach)?", "guard", {"guard", "attach"}});
    if (!variant) return variant.error();
    options_.variant = *variant;
    auto found = read_template(console_.template_dir + (options_.variant == "guard" ? "/yolo" : "/yolo-attach"));
    if (!found) return found.error();
    template_ = *std::move(found);
    auto const agent = ask(options_.agent, {"Which agent?", template_.options["agent"], {"none", "claude-code", "codex", "gemini"}});
    if (!agent) return agent.error();
    options_.agent = *agent;
    auto const image = ask(options_.image, {"Which image?", template_.options["image"], {}});
    if (!image) return image.error();
    options_.image = *image;
    return choose_policies();
  }

  Result<void> choose_policies() {
    auto const choices = presets_for(options_.workspace);
    if (!choices) return choices.error();
    std::vector<std::string> suggested;
    for (auto const& [preset, because] : *choices) {
      suggested.push_back(preset);
      if (options_.policies.empty() && !options_.json) std::fprintf(console_.out, "Found %s: preset %s\n", because.c_str(), preset.c_str());
    }
    if (options_.agent != "none") suggested.push_back(options_.agent);
    if (suggested.empty()) suggested.push_back("none");
    auto const answer = ask(joined(options_.policies), {"Which presets may the container use?", joined(suggested), {}});
    if (!answer) return answer.error();
    options_.policies = split(*answer);
    return check_policies();
  }

  Result<void> check_policies() const {
    auto const presets = policies::list_presets(console_.preset_dir);
    if (!presets) return presets.error();
    for (auto const& name : options_.policies)
      if (std::ranges::find(*presets, name, &policies::PresetInfo::name) == presets->end())
        return Error{Code::invalid, 0, "there is no preset '" + name + "'; `sallyport policy list` names them"};
    return {};
  }

  Result<std::vector<NewFile>> make_files() {
    auto options = template_.options;
    options["agent"] = options_.agent;
    options["image"] = options_.image;
    options["presets"] = joined(options_.policies);
    auto files = fill_in(template_, options);
    if (!files || options_.package.empty()) return files;
    if (options_.variant != "guard") return Error{Code::invalid, 0, "--package: with attach the program is not in the container"};
    std::ifstream package(options_.package, std::ios::binary);
    auto const name = std::filesystem::path(options_.package).filename().string();
    bool const fits = name.starts_with("sallyport_") && name.ends_with(".deb");
    if (!package || !fits) return Error{Code::invalid, 0, "--package: '" + options_.package + "' is not a readable file sallyport_….deb"};
    files->push_back({kPackagePlace + name, std::string(std::istreambuf_iterator<char>(package), {}), 0644});
    return files;
  }

  static std::string purpose(NewFile const& file) {
    return file.path.ends_with(".deb") ? "The program that the Feature installs." : purpose_of(file.content);
  }

  void print(std::vector<NewFile> const& files, std::vector<std::string> const& in_the_way) const {
    for (auto const& file : files) {
      bool const is_there = std::ranges::find(in_the_way, file.path) != in_the_way.end();
      std::fprintf(console_.out, "%s%s\n    %s\n", file.path.c_str(), is_there ? " (there already, with another content)" : "",
                   purpose(file).c_str());
    }
  }

  /// The last that a person, or a program, reads. `in_the_way`: the paths of files that have, or had, another content.
  int finish(std::vector<NewFile> const& files, std::vector<std::string> const& in_the_way) const {
    if (options_.json) print_json(files, in_the_way);
    if (!options_.json && !options_.dry_run) print_next_steps(files);
    return 0;
  }

  void print_json(std::vector<NewFile> const& files, std::vector<std::string> const& in_the_way) const {
    namespace json = boost::json;
    json::array described;
    for (auto const& file : files) {
      bool const is_there = std::ranges::find(in_the_way, file.path) != in_the_way.end();
      described.push_back({{"path", file.path}, {"purpose", purpose(file)}, {"had_other_content", is_there}});
    }
    json::object const all{{"workspace", options_.workspace}, {"variant", options_.variant},   {"agent", options_.agent},
                           {"image", options_.image},         {"policies", json::value_from(options_.policies)},
                           {"written", !options_.dry_run},    {"files", std::move(described)}};
    std::fprintf(console_.out, "%s\n", json::serialize(all).c_str());
  }

  void print_next_steps(std::vector<NewFile> const& files) const {
    bool const has_package = std::ranges::any_of(files, [](auto const& file) { return file.path.ends_with(".deb"); });
    if (options_.variant == "guard" && !has_package)
      std::fprintf(console_.out, "Put a sallyport_*.deb into %s, or set the Feature's options package and packageSha256.\n", kPackagePlace);
    std::fputs("Then: devcontainer up --workspace-folder . (or \"Reopen in Container\" in your editor)\n", console_.out);
  }

  InitOptions options_;
  Console const& console_;
  Dialogue dialogue_;
  DevContainerTemplate template_;
};

}  // namespace

int init_project(InitOptions const& options, Console const& console, std::FILE* in) {
  Init init(options, console, in);
  auto const status = init.run();
  if (status) return *status;
  std::fprintf(console.err, "sallyport: %s\n", status.error().what.c_str());
  return kUsage;
}

}  // namespace sallyport::cli
