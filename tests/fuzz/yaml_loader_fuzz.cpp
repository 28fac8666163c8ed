// Any bytes as a policy file: no crash, and what loads can be written and loaded again to as many rules.

#include "policies/merge.hpp"
#include "policies/yaml_layer.hpp"
#include "policies/yaml_writer.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

using namespace sallyport::policies;

namespace {

std::shared_ptr<Policy const> load(std::string text) {
  Problems problems;
  auto layer = read_layer("fuzz.yaml", std::move(text), "/home/user", problems);
  if (!layer) {
    if (problems.empty()) __builtin_trap();
    return nullptr;
  }
  return merge_layers({std::move(*layer)}, problems);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  auto const policy = load(std::string(reinterpret_cast<char const*>(data), size));
  if (policy == nullptr) return 0;
  auto const again = load(to_yaml(*policy));
  if (again == nullptr || again->rules.size() != policy->rules.size()) __builtin_trap();
  return 0;
}
