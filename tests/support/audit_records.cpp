#include "tests/support/audit_records.hpp"

#include <algorithm>
#include <fstream>

namespace sallyport::test {

namespace json = boost::json;

Records read_records(std::filesystem::path const& file) {
  Records records;
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line) && !lines.eof();) records.push_back(json::parse(line).as_object());
  return records;
}

std::string text_at(Record const& record, std::string_view path) {
  auto const dot = path.find('.');
  auto const* value = record.if_contains(path.substr(0, dot));
  if (value == nullptr) return {};
  if (dot != std::string_view::npos) {
    return value->is_object() ? text_at(value->get_object(), path.substr(dot + 1)) : std::string();
  }
  return value->is_string() ? std::string(value->get_string()) : json::serialize(*value);
}

Records having(Records const& records, Wanted wanted) {
  Records found;
  auto const matches = [&](Record const& record) {
    return std::all_of(wanted.begin(), wanted.end(),
                       [&](auto const& want) { return text_at(record, want.first) == want.second; });
  };
  std::copy_if(records.begin(), records.end(), std::back_inserter(found), matches);
  return found;
}

namespace {

std::string joined(json::value const& argv) {
  std::string text;
  for (auto const& argument : argv.as_array()) text += (text.empty() ? "" : " ") + std::string(argument.as_string());
  return text;
}

}  // namespace

std::vector<std::string> command_chain(Records const& all, Record const& record) {
  std::vector<std::string> chain;
  auto const* process = record.if_contains("process");
  auto const* links = process != nullptr ? process->as_object().if_contains("chain") : nullptr;
  if (links == nullptr) return chain;
  for (auto const& link : links->as_array()) {
    auto const commands = having(all, {{"type", "command.exec"}, {"seq", json::serialize(link)}});
    chain.push_back(commands.size() == 1 ? joined(commands[0].at("argv")) : "no command.exec " + json::serialize(link));
  }
  return chain;
}

std::string print(Records const& records) {
  std::string text;
  for (auto const& record : records) text += json::serialize(record) + "\n";
  return text;
}

}  // namespace sallyport::test
