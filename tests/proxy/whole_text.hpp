#pragma once
// A BodyInspector that judges a body when it is whole, and forbids one that holds the word "secret".

#include "proxy/inspection.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sallyport::tests {

class WholeText final : public proxy::BodyInspector {
 public:
  void feed(std::string_view content) override { seen_ += content; }
  void finish(std::vector<proxy::Field> const&) override {
    whole_ = true;
    if (seen_.find("secret") != std::string::npos) refusal_ = proxy::refusal(403, policies::reason::kSecret, "found");
  }
  std::uint64_t clear_up_to() const override { return whole_ ? seen_.size() : 0; }
  std::optional<proxy::Refusal> const& refusal() const override { return refusal_; }
  std::vector<proxy::Replacement> take_replacements() override { return {}; }

 private:
  std::string seen_;
  bool whole_ = false;
  std::optional<proxy::Refusal> refusal_;
};

}  // namespace sallyport::tests
