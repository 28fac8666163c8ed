#include "audit/event_writer.hpp"

#include "audit/event_fields.hpp"

#include <concepts>

namespace sallyport::audit {

namespace {

template <class T>
concept HasWords = requires {
  Words<T>::kWords;
};
template <class T>
concept HasLayout = requires {
  Layout<T>::kFields;
};

/// One overload of value() for each kind of value in the table.
class EventWriter {
 public:
  explicit EventWriter(JsonWriter& json) : json_(json) {}

  template <class Object>
  void fields(Object const& object) {
    std::apply([&](auto const&... each) { (field(object, each), ...); }, Layout<Object>::kFields);
  }

 private:
  template <class Object, class Value>
  void field(Object const& object, Field<Object, Value> const& field) {
    Value const& member = object.*field.member;
    if (field.presence == Presence::unless_empty && member == Value{}) return;
    json_.key(field.name);
    value(member);
  }

  void value(std::string const& text) { json_.text(text); }
  void value(bool flag) { json_.boolean(flag); }
  void value(std::unsigned_integral auto number) { json_.number(std::uint64_t{number}); }
  void value(std::signed_integral auto number) { json_.number(std::int64_t{number}); }
  void value(HasWords auto word) { json_.text(word_of(word)); }
  template <class T>
  void value(std::optional<T> const& present) {
    value(*present);  // field() leaves an absent one out
  }
  template <class T>
  void value(std::vector<T> const& list) {
    json_.list(list, [this](T const& element) { value(element); });
  }
  void value(std::map<std::string, std::uint64_t> const& counts) {
    json_.open('{');
    for (auto const& [name, count] : counts) {
      json_.key(name);
      value(count);
    }
    json_.close('}');
  }
  template <HasLayout Object>
  void value(Object const& object) {
    json_.open('{');
    fields(object);
    json_.close('}');
  }

  JsonWriter& json_;
};

template <class Record>
bool was_cut(Record const& record) {
  if constexpr (requires { record.cut; }) return record.cut;
  return false;
}

template <class Record>
void write_record(JsonWriter& json, Record const& record) {
  json.key("type");
  json.text(Layout<Record>::kType);
  if constexpr (!Layout<Record>::kPhase.empty()) {
    json.key("phase");
    json.text(Layout<Record>::kPhase);
  }
  EventWriter(json).fields(record);
  if (json.fit() == Fit::whole && !was_cut(record)) return;
  json.key("cut");
  json.boolean(true);
}

}  // namespace

std::string_view type_of(Event const& event) {
  return std::visit([]<class Record>(Record const&) { return Layout<Record>::kType; }, event);
}

void write_members(JsonWriter& writer, Event const& event) {
  std::visit([&](auto const& record) { write_record(writer, record); }, event);
}

}  // namespace sallyport::audit
