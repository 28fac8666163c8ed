#include "dlp/trail.hpp"

#include "dlp/joined_scan.hpp"
#include "dlp/value_join.hpp"

#include <algorithm>
#include <utility>

namespace sallyport::dlp {
namespace {

constexpr std::size_t kMinValueBytes = 3;  // less is no part of a secret that anybody would cut so
constexpr std::string_view kBetweenPlaces = "\n \n";  // in no secret, and in no coding of one
constexpr std::size_t kMaxValues = 48;     // of one message
constexpr std::size_t kMaxNameBytes = 64;  // of a place: what names have in common beyond that is one place
constexpr std::size_t kMaxLastBytes = 256;

/// "part12" and "part7" are one place; lower case, as header fields may be written in any.
std::string place_named(std::string_view kind, std::string_view name) {
  std::string place(kind);
  for (char const c : name.substr(0, kMaxNameBytes)) {
    if (c >= '0' && c <= '9') continue;
    place += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return place;
}

bool has_blank(std::string_view text) { return text.find(' ') != std::string_view::npos; }

/// Also what the value is base 64 or hexadecimal of: a secret that was cut first and coded then.
void add_value(std::vector<Trail::Value>& values, std::string place, std::string_view text) {
  if (text.size() < kMinValueBytes || has_blank(text) || values.size() >= kMaxValues) return;
  auto const decoded = decoded_values({std::string(text), {{0, {0, text.size()}}}});
  if (!decoded.text.empty()) values.push_back({"decoded " + place, decoded.text});
  values.push_back({std::move(place), std::string(text)});
}

/// Up to one of `ends`; `text` goes on behind it.
std::string_view take_until(std::string_view& text, std::string_view ends) {
  auto const part = text.substr(0, text.find_first_of(ends));
  text.remove_prefix(std::min(part.size() + 1, text.size()));
  return part;
}

void add_target(std::vector<Trail::Value>& values, std::string_view target) {
  auto path = take_until(target, "?");
  for (std::size_t depth = 0; !path.empty(); ++depth) add_value(values, "path " + std::to_string(depth), take_until(path, "/"));
  while (!target.empty()) {
    auto parameter = take_until(target, "&;");
    auto const name = take_until(parameter, "=");
    add_value(values, place_named("query ", parameter.empty() ? "" : name), parameter.empty() ? name : parameter);
  }
}

bool covers_any(Finding const& finding, std::vector<std::size_t> const& seams) {
  return std::any_of(seams.begin(), seams.end(), [&](std::size_t seam) { return finding.offset < seam && finding.offset + finding.length > seam; });
}

}  // namespace

std::vector<Trail::Value> head_values(std::string_view head) {
  std::vector<Trail::Value> values;
  auto line = take_until(head, "\r");
  take_until(line, " ");
  add_target(values, take_until(line, " "));
  while (!head.empty()) {
    line = take_until(head, "\r");
    if (line.starts_with('\n')) line.remove_prefix(1);
    auto const name = take_until(line, ":");
    while (line.starts_with(' ')) line.remove_prefix(1);
    add_value(values, place_named("field ", name), line);
  }
  return values;
}

std::vector<Trail::Value> body_values(std::string_view body) {
  std::vector<Trail::Value> values;
  if (body.size() > kMaxFollowedBody) return values;
  auto const joined = join_values(body);
  for (std::size_t i = 0; i < joined.pieces.size(); ++i) add_value(values, "body " + std::to_string(i), joined.piece(i));
  return values;
}

Trail::Past const* Trail::find(std::string_view place) const {
  auto const found = std::find_if(past_.begin(), past_.end(), [&](Past const& each) { return each.place == place; });
  return found == past_.end() ? nullptr : &*found;
}

std::vector<Finding> Trail::look(Scanner::Setup const& setup, std::vector<Value> const& values) const {
  std::string text;
  std::vector<std::size_t> seams;
  for (auto const& value : values) {
    auto const* past = find(value.place);
    if (past == nullptr || past->last == value.text) continue;
    text += past->text;
    seams.push_back(text.size());
    text.append(value.text, 0, kMaxPlaceBytes) += kBetweenPlaces;
  }
  if (seams.empty()) return {};
  auto findings = scan_message(setup, text);
  std::erase_if(findings, [&](Finding const& each) { return !is_believed_in_pieces(each) || !covers_any(each, seams); });
  return findings;
}

void Trail::add(std::vector<Value> const& values) {
  for (auto const& value : values) {
    auto const* past = find(value.place);
    if (past != nullptr && past->last == value.text) continue;
    Past next{value.place, {}, value.text.size() <= kMaxLastBytes ? value.text : std::string()};
    if (past != nullptr) {
      next.text = past->text;
      past_.erase(past_.begin() + (past - past_.data()));
    }
    next.text += value.text;
    if (next.text.size() > kMaxPlaceBytes) next.text.erase(0, next.text.size() - kMaxPlaceBytes);
    if (past_.size() == kMaxPlaces) past_.erase(past_.begin());
    past_.push_back(std::move(next));
  }
}

}  // namespace sallyport::dlp
