#pragma once
// Judges the events of an event stream, each as soon as it is whole, so that a stream that stays open is not held back. The end of what
// came in front of an event is looked at with it. Hardened against hostile bytes. One thread at a time; no I/O.

#include "proxy/content_scan.hpp"
#include "proxy/dlp_judge.hpp"
#include "proxy/event_framing.hpp"
#include "proxy/stream_tail.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace sallyport::proxy {

class EventInspector final : public BodyInspector {
 public:
  EventInspector(dlp::Scanner::Setup setup, DlpJudge judge) : setup_(std::move(setup)), judge_(std::move(judge)) {}

  void feed(std::string_view content) override;
  void finish(std::vector<Field> const& trailers) override;
  std::uint64_t clear_up_to() const override { return clear_; }
  std::optional<Refusal> const& refusal() const override { return judge_.refusal(); }
  std::vector<Replacement> take_replacements() override { return judge_.take_replacements(); }

 private:
  void scan(std::string_view piece);
  void judge();
  void end_event();

  dlp::Scanner::Setup setup_;
  DlpJudge judge_;
  EventFraming framing_;
  StreamTail tail_;
  std::optional<ContentScan> scan_;  // of the event that is coming
  std::uint64_t seen_ = 0;           // bytes of the body
  std::uint64_t start_ = 0;          // of the event in the body
  std::uint64_t clear_ = 0;
};

}  // namespace sallyport::proxy
