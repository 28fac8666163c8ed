#include "proxy/timed_inspection.hpp"

#include <chrono>
#include <utility>

namespace sallyport::proxy {
namespace {

using std::chrono::steady_clock;

/// Adds the time of its life.
class Stopwatch {
 public:
  explicit Stopwatch(steady_clock::duration& total) : total_(total) {}
  Stopwatch(Stopwatch const&) = delete;
  Stopwatch& operator=(Stopwatch const&) = delete;
  ~Stopwatch() { total_ += steady_clock::now() - began_; }

 private:
  steady_clock::duration& total_;
  steady_clock::time_point began_ = steady_clock::now();
};

std::chrono::microseconds microseconds(steady_clock::duration took) {
  return std::chrono::duration_cast<std::chrono::microseconds>(took);
}

class TimedBody final : public BodyInspector {
 public:
  TimedBody(std::unique_ptr<BodyInspector> inner, Metrics& metrics) : inner_(std::move(inner)), metrics_(metrics) {}
  ~TimedBody() override { metrics_.inspected(Inspected::body, microseconds(took_)); }

  void feed(std::string_view content) override {
    Stopwatch const stopwatch(took_);
    inner_->feed(content);
  }
  void finish(std::vector<Field> const& trailers) override {
    Stopwatch const stopwatch(took_);
    inner_->finish(trailers);
  }
  std::uint64_t clear_up_to() const override { return inner_->clear_up_to(); }
  std::optional<Refusal> const& refusal() const override { return inner_->refusal(); }
  std::vector<Replacement> take_replacements() override { return inner_->take_replacements(); }

 private:
  std::unique_ptr<BodyInspector> inner_;
  Metrics& metrics_;
  steady_clock::duration took_{0};
};

}  // namespace

Attempt<std::vector<HeadReplacement>> TimedInspection::inspect_head(InspectedMessage const& message, std::string_view head) {
  steady_clock::duration took{0};
  auto looked = [&] {
    Stopwatch const stopwatch(took);
    return inner_.inspect_head(message, head);
  }();
  metrics_.inspected(Inspected::head, microseconds(took));
  return looked;
}

Attempt<std::unique_ptr<BodyInspector>> TimedInspection::inspect_body(InspectedMessage const& message, BodyForm form) {
  auto body = inner_.inspect_body(message, form);
  if (!body || !*body) return body;
  return std::make_unique<TimedBody>(*std::move(body), metrics_);
}

}  // namespace sallyport::proxy
