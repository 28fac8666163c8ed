#include "proxy/held_message.hpp"

#include "base/check.hpp"

#include <algorithm>
#include <utility>

namespace sallyport::proxy {
namespace {

constexpr std::uint64_t kMarkEvery = 4096;  // bytes of the message

Refusal not_replaceable() {
  return refusal(403, policies::reason::kSecret,
                 "A compressed WebSocket message holds a secret, which cannot be redacted there. Do not retry.");
}

Error not_text() { return Error{Code::invalid, 0, "a text message that is not UTF-8"}; }

}  // namespace

void HeldMessage::take(std::string_view payload, bool last) {
  held_.append(payload);
  unread_.append(payload);
  whole_ = last;
  if (last && inflater_ != nullptr) unread_.append(WebSocketInflater::tail());
}

Result<HeldMessage::Look> HeldMessage::look() {
  if (inflater_ != nullptr) return look_inside();
  if (auto shown = show(unread_); !shown) return shown.error();
  read_.packed = read_.plain;
  unread_.clear();
  if (auto ended = end(); !ended) return ended.error();
  return Look::done;
}

Result<HeldMessage::Look> HeldMessage::look_inside() {
  auto const step = inflater_->step(unread_);
  if (!step) return step.error();
  unread_.erase(0, step->consumed);
  if (auto shown = show(step->plain); !shown) return shown.error();
  read_.packed = std::min(read_.packed + step->consumed, sent_ + held_.size());
  bool const is_near = marks_.size() > 1 && read_.plain - marks_[marks_.size() - 2].plain < kMarkEvery;
  if (is_near) marks_.pop_back();
  marks_.push_back(read_);
  if (step->more && !refusal_) return Look::again;
  if (auto ended = end(); !ended) return ended.error();
  return Look::done;
}

Result<void> HeldMessage::show(std::string_view plain) {
  read_.plain += plain.size();
  tail_.append(plain);
  if (text_ && !text_->feed(plain)) return not_text();
  if (!inspector_) return {};
  inspector_->feed(plain);
  replace_or_refuse();
  return {};
}

Result<void> HeldMessage::end() {
  if (!whole_ || ended_ || refusal_) return {};
  if (text_ && !text_->is_complete()) return not_text();
  ended_ = true;
  if (inflater_ != nullptr) inflater_->end_message();
  if (!inspector_) return {};
  inspector_->finish({});
  replace_or_refuse();
  return {};
}

void HeldMessage::replace_or_refuse() {
  refusal_ = inspector_->refusal();
  for (auto const& [offset, text] : inspector_->take_replacements()) {
    if (inflater_ != nullptr) {
      if (!refusal_) refusal_ = not_replaceable();
      return;
    }
    check(offset >= sent_ && offset - sent_ + text.size() <= held_.size(), "what is replaced is held");
    held_.replace(static_cast<std::size_t>(offset - sent_), text.size(), text);
  }
}

std::uint64_t HeldMessage::clear_payload() const {
  auto const clear = inspector_ ? inspector_->clear_up_to() : read_.plain;
  if (inflater_ == nullptr) return clear;
  if (ended_) return sent_ + held_.size();
  auto const behind = std::find_if(marks_.begin(), marks_.end(), [&](Mark const& mark) { return mark.plain > clear; });
  return behind == marks_.begin() ? sent_ : std::prev(behind)->packed;
}

std::string_view HeldMessage::ready() const {
  if (refusal_) return {};
  auto const clear = std::max(clear_payload(), sent_);
  return std::string_view(held_).substr(0, static_cast<std::size_t>(clear - sent_));
}

void HeldMessage::drop_ready() {
  auto const size = ready().size();
  held_.erase(0, size);
  sent_ += size;
  while (!marks_.empty() && marks_.front().packed <= sent_) marks_.pop_front();
}

}  // namespace sallyport::proxy
