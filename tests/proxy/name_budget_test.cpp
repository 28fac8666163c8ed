#include "proxy/name_budget.hpp"

#include "dlp/example.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace sallyport::proxy {
namespace {

using Answer = NameBudget::Answer;

policies::CanonicalHost host(std::string const& name) { return policies::CanonicalHost::from(name).value(); }

TEST(NameBudget, DifferentNamesBelowADomainAreCounted) {
  NameBudget budget({.names = 2});
  EXPECT_EQ(budget.count(host("a.example.com")), Answer::within);
  EXPECT_EQ(budget.count(host("b.c.example.com")), Answer::within);
  EXPECT_EQ(budget.count(host("d.example.com")), Answer::too_many_names);
  EXPECT_EQ(budget.count(host("a.example.com")), Answer::within) << "asked for before";
  EXPECT_EQ(budget.count(host("d.example.org")), Answer::within) << "another domain";
}

TEST(NameBudget, ThreadsTogetherGetNoMoreNames) {
  NameBudget budget({.names = 3000});
  std::atomic<int> within = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&, i] {
        for (int n = 0; n < 1000; ++n)
          if (budget.count(host("n" + std::to_string(4 * n + i) + ".example.com")) == Answer::within) ++within;
      });
    }
  }
  EXPECT_EQ(within, 3000);
}

TEST(NameBudget, RandomLabelsRunOutLongBeforeNamesDo) {
  NameBudget budget;
  dlp::ExampleRandom random(1);
  std::size_t told = 0;
  while (budget.count(host(random.text("abcdefghijklmnopqrstuvwxyz234567", 50) + ".example.com")) == Answer::within)
    told += 50;
  EXPECT_GT(told, 0U);
  EXPECT_LE(told, NameLimits().random_bytes);
  EXPECT_EQ(budget.count(host("cdn-7.example.com")), Answer::within) << "what people call their hosts";
}

TEST(NameBudget, FewLabelsInManyOrdersAreManyNames) {
  NameBudget budget;
  std::size_t told = 0;
  for (unsigned bits = 0; bits < 4096; ++bits) {
    std::string name;
    for (int bit = 0; bit < 12; ++bit) name += (bits >> bit & 1) != 0 ? "a." : "b.";
    if (budget.count(host(name + "example.com")) == Answer::within) ++told;
  }
  EXPECT_EQ(told, NameLimits().names);
}

TEST(NameBudget, DomainsAreBoundedToo) {
  NameBudget budget({.domains = 1});
  EXPECT_EQ(budget.count(host("a.example.com")), Answer::within);
  EXPECT_EQ(budget.count(host("a.example.org")), Answer::too_many_names);
}

}  // namespace
}  // namespace sallyport::proxy
