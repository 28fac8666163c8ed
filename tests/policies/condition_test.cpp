#include "policies/condition.hpp"

#include <gtest/gtest.h>

namespace sallyport::policies {
namespace {

constexpr auto kEvery = Quantifier::every;
constexpr auto kAny = Quantifier::any;

TEST(QueryHolds, AllConditionsAndOneOfTheValues) {
  std::vector<Condition> const conditions = {{"format", {"json", "x*"}}, {"v", {"1"}}};
  EXPECT_TRUE(query_holds(conditions, "v=1&format=json", kEvery));
  EXPECT_TRUE(query_holds(conditions, "format=xml&other=2&v=1", kEvery));
  for (auto query : {"", "format=json", "format=html&v=1", "format=json&v=", "format=json&v", "Format=json&v=1"})
    EXPECT_FALSE(query_holds(conditions, query, kEvery)) << query;
  EXPECT_TRUE(query_holds({}, "a=b", kEvery));
}

TEST(QueryHolds, ASecondValueCannotHideBehindTheFirst) {
  std::vector<Condition> const conditions = {{"a", {"good"}}};
  EXPECT_FALSE(query_holds(conditions, "a=good&a=bad", kEvery));
  EXPECT_FALSE(query_holds(conditions, "a=bad&a=good", kEvery));
  EXPECT_FALSE(query_holds(conditions, "a=good;a=bad", kEvery)) << "one value to some servers, two to others";
  std::vector<Condition> const denied = {{"a", {"bad"}}};
  for (auto query : {"a=good&a=bad", "a=bad&a=good", "a=good;a=bad", "x=1;a=bad"}) EXPECT_TRUE(query_holds(denied, query, kAny)) << query;
}

TEST(QueryHolds, EscapesAreUndoneOnBothSides) {
  EXPECT_TRUE(query_holds({{"a b", {"c&d"}}}, "a%20b=c%26d", kEvery));
  EXPECT_TRUE(query_holds({{"a b", {"c d"}}}, "a+b=c+d", kEvery));
  EXPECT_TRUE(query_holds({{"upload", {"*"}}}, "%75pload=1", kAny));
  EXPECT_EQ(decoded_parameter("%zz%4"), "%zz%4");
}

TEST(QueryHolds, NoValuesMeansThatItMustNotBeThere) {
  std::vector<Condition> const absent = {{"token", {}}};
  EXPECT_TRUE(query_holds(absent, "a=b", kEvery));
  for (auto query : {"token=x", "token", "a=b&token="}) EXPECT_FALSE(query_holds(absent, query, kEvery)) << query;
}

TEST(HeadersHold, NamesWithoutCaseValuesWithCase) {
  std::vector<Condition> const conditions = {{"content-type", {"application/json*"}}};
  EXPECT_TRUE(headers_hold(conditions, {{"Content-TYPE", "application/json; charset=utf-8"}}, kEvery));
  EXPECT_FALSE(headers_hold(conditions, {{"Content-Type", "APPLICATION/json"}}, kEvery));
  EXPECT_FALSE(headers_hold(conditions, {{"Content-Typed", "application/json"}}, kEvery));
  EXPECT_FALSE(headers_hold(conditions, {}, kEvery));
}

TEST(HeadersHold, ASecondFieldCannotHideBehindTheFirst) {
  std::vector<HeaderField> const both = {{"X-Kind", "good"}, {"x-kind", "bad"}};
  EXPECT_FALSE(headers_hold({{"x-kind", {"good"}}}, both, kEvery));
  EXPECT_TRUE(headers_hold({{"x-kind", {"bad"}}}, both, kAny));
  EXPECT_FALSE(headers_hold({{"x-kind", {}}}, both, kEvery));
  EXPECT_TRUE(headers_hold({{"cookie", {}}}, both, kEvery));
}

}  // namespace
}  // namespace sallyport::policies
