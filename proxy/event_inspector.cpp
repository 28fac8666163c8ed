#include "proxy/event_inspector.hpp"

#include <algorithm>
#include <utility>

namespace sallyport::proxy {

void EventInspector::feed(std::string_view content) {
  while (!content.empty() && !refusal()) {
    auto const end = framing_.end_of_event(content);
    scan(content.substr(0, end.value_or(content.size())));
    content.remove_prefix(end.value_or(content.size()));
    if (end) end_event();
  }
}

void EventInspector::finish(std::vector<Field> const& trailers) {
  judge_.take_trailers(setup_, trailers);
  if (scan_ && !refusal()) end_event();
}

void EventInspector::scan(std::string_view piece) {
  if (!scan_) {
    scan_.emplace(setup_, tail_.text());
    start_ = seen_;
  }
  scan_->feed(piece);
  tail_.append(piece);
  seen_ += piece.size();
  judge();
}

void EventInspector::judge() {
  auto found = scan_->take_findings();
  for (auto* const findings : {&found.whole, &found.in_pieces}) {
    for (auto& finding : *findings) finding.offset += start_;
  }
  judge_.take(std::move(found.whole), {"body", {dlp::Place::body, Spread::whole}, clear_});
  judge_.take(std::move(found.in_pieces), {"body", {dlp::Place::body, Spread::in_pieces}, clear_});
  if (!refusal()) clear_ = std::max(clear_, start_ + scan_->clear_up_to());
}

void EventInspector::end_event() {
  scan_->finish();
  judge();
  scan_.reset();
}

}  // namespace sallyport::proxy
