#include "audit/json_writer.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace sallyport::audit {
namespace {

constexpr TextLimits kRoomy{1000, 1000};

TEST(JsonWriter, WritesMembersInTheOrderTheyCome) {
  std::string out;
  JsonWriter writer(out, kRoomy);
  writer.open('{');
  writer.key("b");
  writer.text("x\"y");
  writer.key("a");
  writer.number(std::numeric_limits<std::uint64_t>::max());
  writer.key("c");
  writer.number(std::int64_t{-5});
  writer.key("d");
  writer.boolean(true);
  writer.key("e");
  writer.list(std::vector<std::string>{"1", "2"}, [&](std::string const& text) { writer.text(text); });
  writer.close('}');
  EXPECT_EQ(out, R"({"b":"x\"y","a":18446744073709551615,"c":-5,"d":true,"e":["1","2"]})");
  EXPECT_EQ(writer.fit(), Fit::whole);
}

TEST(JsonWriter, CutsOneTextThatIsTooLong) {
  std::string out;
  JsonWriter writer(out, {3, 1000});
  writer.text("abcd");
  EXPECT_EQ(out, "\"abc\"");
  EXPECT_EQ(writer.fit(), Fit::cut);
}

TEST(JsonWriter, CutsTextsThatTogetherAreTooLong) {
  std::string out;
  JsonWriter writer(out, {4, 6});
  writer.text("abcd");
  writer.text("efgh");
  writer.text("ijkl");
  EXPECT_EQ(out, R"("abcd""ef""")");
  EXPECT_EQ(writer.fit(), Fit::cut);
}

TEST(JsonWriter, EndsAListOfEmptyTextsWhenItIsTooLong) {
  std::string out;
  JsonWriter writer(out, {100, 100});
  writer.list(std::vector<std::string>(1000), [&](std::string const& text) { writer.text(text); });
  EXPECT_LT(out.size(), 100U);
  EXPECT_TRUE(out.ends_with("]"));
  EXPECT_EQ(writer.fit(), Fit::cut);
}

}  // namespace
}  // namespace sallyport::audit
