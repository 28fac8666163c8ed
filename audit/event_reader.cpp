#include "audit/event_reader.hpp"

#include "audit/event_fields.hpp"

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
#include <concepts>
#include <utility>

namespace sallyport::audit {

namespace {

namespace json = boost::json;

template <class T>
concept HasWords = requires {
  Words<T>::kWords;
};
template <class T>
concept HasLayout = requires {
  Layout<T>::kFields;
};

Error wrong(std::string_view name, std::string_view why) {
  return Error{Code::invalid, 0, std::string(name) + ": " + std::string(why)};
}

/// Steps through the members of an object in their order.
class Members {
 public:
  explicit Members(json::object const& object) : next_(object.begin()), end_(object.end()) {}
  /// The next member if it has this name, and steps over it; otherwise null.
  json::value const* take(std::string_view name) {
    if (next_ == end_ || std::string_view(next_->key()) != name) return nullptr;
    return &(next_++)->value();
  }
  Result<void> finish() const {
    if (next_ == end_) return {};
    return wrong(next_->key(), "unknown, twice or out of order");
  }

 private:
  json::object::const_iterator next_;
  json::object::const_iterator end_;
};

// read() has one overload for each kind of value in the table; null means that the value was read, else why it was not.
using Complaint = char const*;

class EventReader {
 public:
  template <class Object>
  static Result<void> fields(Members& members, Object& object) {
    Result<void> done;
    std::apply([&](auto const&... each) { (void)((done = field(members, object, each)).has_value() && ...); },
               Layout<Object>::kFields);
    return done;
  }

 private:
  template <class Object, class Value>
  static Result<void> field(Members& members, Object& object, Field<Object, Value> const& field) {
    auto const* from = members.take(field.name);
    if (from == nullptr) {
      if (field.presence == Presence::unless_empty) return {};
      return wrong(field.name, "missing or out of order");
    }
    if (Complaint complaint = read(*from, object.*field.member)) return wrong(field.name, complaint);
    return {};
  }

  static Complaint read(json::value const& from, std::string& to) {
    auto const* text = from.if_string();
    if (text == nullptr) return "not a string";
    to.assign(text->data(), text->size());
    return nullptr;
  }
  static Complaint read(json::value const& from, bool& to) {
    auto const* flag = from.if_bool();
    if (flag == nullptr) return "not true or false";
    to = *flag;
    return nullptr;
  }
  template <std::integral Number>
  static Complaint read(json::value const& from, Number& to) {
    if (auto const* number = from.if_int64(); number != nullptr && std::in_range<Number>(*number)) {
      to = static_cast<Number>(*number);
    } else if (auto const* large = from.if_uint64(); large != nullptr && std::in_range<Number>(*large)) {
      to = static_cast<Number>(*large);
    } else {
      return "not a number in range";
    }
    return nullptr;
  }
  template <HasWords Enum>
  static Complaint read(json::value const& from, Enum& to) {
    auto const& words = Words<Enum>::kWords;
    auto const* text = from.if_string();
    auto const found = text == nullptr ? words.end() : std::find(words.begin(), words.end(), std::string_view(*text));
    if (found == words.end()) return "not one of its words";
    to = static_cast<Enum>(found - words.begin());
    return nullptr;
  }
  template <class T>
  static Complaint read(json::value const& from, std::optional<T>& to) {
    return read(from, to.emplace());
  }
  template <class T>
  static Complaint read(json::value const& from, std::vector<T>& to) {
    auto const* list = from.if_array();
    if (list == nullptr) return "not a list";
    to.reserve(list->size());
    for (auto const& element : *list) {
      if (Complaint complaint = read(element, to.emplace_back())) return complaint;
    }
    return nullptr;
  }
  template <HasLayout Object>
  static Complaint read(json::value const& from, Object& to) {
    auto const* object = from.if_object();
    if (object == nullptr) return "not an object";
    Members members(*object);
    return fields(members, to) && members.finish() ? nullptr : "has a member that is unknown, missing or wrong";
  }
};

template <class Record>
Result<Event> read_record(Members& members) {
  Record record;
  if (auto read = EventReader::fields(members, record); !read) return read.error();
  if (auto const* cut = members.take("cut")) {
    if (!cut->is_bool() || !cut->get_bool()) return wrong("cut", "not true");
    record.cut = true;
  }
  if (auto finished = members.finish(); !finished) return finished.error();
  return Event(std::move(record));
}

/// Whether the next members are this record's type and phase; steps over them if so.
template <class Record>
bool begins(Members& members) {
  auto ahead = members;
  auto says = [&](std::string_view name, std::string_view text) {
    auto const* value = ahead.take(name);
    return value != nullptr && value->is_string() && std::string_view(value->get_string()) == text;
  };
  if (!says("type", Layout<Record>::kType)) return false;
  if (!Layout<Record>::kPhase.empty() && !says("phase", Layout<Record>::kPhase)) return false;
  members = ahead;
  return true;
}

}  // namespace

Result<Event> read_gateway_event(json::object const& object) {
  Members members(object);
  if (begins<EgressRequest>(members)) return read_record<EgressRequest>(members);
  if (begins<EgressTunnel>(members)) return read_record<EgressTunnel>(members);
  if (begins<EgressDone>(members)) return read_record<EgressDone>(members);
  if (begins<DnsQuery>(members)) return read_record<DnsQuery>(members);
  if (begins<DlpFinding>(members)) return read_record<DlpFinding>(members);
  if (begins<CredentialUse>(members)) return read_record<CredentialUse>(members);
  if (begins<LimitHit>(members)) return read_record<LimitHit>(members);
  return wrong("type", "not one that the gateway reports");
}

}  // namespace sallyport::audit
