#include "dlp/gitleaks_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sallyport::dlp {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(GitleaksFile, RulesAndAllowlistsOfBothSpellingsAreRead) {
  auto const file = read_gitleaks(R"(
title = "ours"
[extend]
useDefault = true
[allowlist]
paths = ['''\.md$''']
[[rules]]
id = "acme-key"
description = "Acme"
regex = '''acme_([a-z]+)_([a-z]+)'''
secretGroup = 2
entropy = 3.5
keywords = ["acme_", "ACME"]
[[rules.allowlists]]
condition = "AND"
regexTarget = "line"
regexes = ['''test''']
stopwords = ["sample"]
[[rules]]
id = "by-name"
path = '''id_rsa$'''
)",
                                  "ours.toml");
  ASSERT_TRUE(file) << file.error().what;
  EXPECT_TRUE(file->extends);
  ASSERT_EQ(file->rules.size(), 2U);
  auto const& rule = file->rules[0];
  EXPECT_EQ(rule.id, "acme-key");
  EXPECT_EQ(rule.secret_group, 2);
  EXPECT_EQ(rule.entropy, 3.5);
  EXPECT_EQ(rule.line, 7);
  EXPECT_THAT(rule.keywords, ElementsAre("acme_", "ACME"));
  ASSERT_EQ(rule.allowlists.size(), 1U);
  EXPECT_TRUE(rule.allowlists[0].needs_all);
  EXPECT_EQ(rule.allowlists[0].regex_target, "line");
  EXPECT_TRUE(file->rules[1].has_path);
  ASSERT_EQ(file->allowlists.size(), 1U);
  EXPECT_TRUE(file->allowlists[0].has_paths);
}

TEST(GitleaksFile, WhatIsNoneIsAnErrorWithItsPlace) {
  EXPECT_THAT(read_gitleaks("a = [1\nb", "x.toml").error().what, HasSubstr("x.toml:2:"));
  EXPECT_THAT(read_gitleaks("a = 1", "x.toml").error().what, HasSubstr("no [[rules]]"));
}

}  // namespace
}  // namespace sallyport::dlp
