#include "policies/yaml_tenants.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace sallyport::policies {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class YamlTenants : public testing::Test {
 protected:
  ~YamlTenants() override { std::filesystem::remove(path_); }
  Result<std::vector<TenantEntry>> read(std::string const& tenants) const {
    std::ofstream(path_) << "version: 1\ntenants:\n" << tenants;
    return read_tenants(path_);
  }
  std::string error_of(std::string const& tenants) const {
    auto const read_ones = read(tenants);
    return read_ones ? std::string() : read_ones.error().what;
  }
  std::string const path_ = testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name() + ".yaml";
};

TEST_F(YamlTenants, SaysWhoTheyAreAndWhatJudgesThem) {
  auto const tenants = read(
      "  - {name: ci, policy: npm, clients: [10.1.0.0/16, 'fd00::/8'], allow: ['a.example:8443']}\n"
      "  - {name: lab-2, policy: [pypi, lab.yaml, /etc/x.yaml], listen: ['127.0.0.1:3129'], listen_tls: ['unix:/run/lab']}\n");
  ASSERT_TRUE(tenants) << tenants.error().what;
  ASSERT_EQ(tenants->size(), 2U);
  auto const& [ci, lab] = std::tie((*tenants)[0], (*tenants)[1]);
  EXPECT_EQ(ci.name, "ci");
  EXPECT_THAT(ci.policies, ElementsAre("npm"));
  EXPECT_THAT(ci.clients, ElementsAre(Cidr::parse("10.1.0.0/16").value(), Cidr::parse("fd00::/8").value()));
  EXPECT_THAT(ci.allow, ElementsAre("a.example:8443"));
  EXPECT_THAT(ci.listen, IsEmpty());
  auto const beside = std::filesystem::path(path_).parent_path() / "lab.yaml";
  EXPECT_THAT(lab.policies, ElementsAre("pypi", beside.string(), "/etc/x.yaml")) << "a file is looked for beside the one that names it";
  EXPECT_THAT(lab.listen, ElementsAre("127.0.0.1:3129"));
  EXPECT_THAT(lab.listen_tls, ElementsAre("unix:/run/lab"));
}

TEST_F(YamlTenants, EveryProblemHasItsPlace) {
  EXPECT_THAT(error_of("  - {policy: npm, clients: [10.0.0.0/8]}"), HasSubstr(":3:5: a tenant needs a 'name'"));
  EXPECT_THAT(error_of("  - {name: 'a b', policy: npm, clients: [10.0.0.0/8]}"), HasSubstr(":3:12: 'a b' is no name of a tenant"));
  EXPECT_THAT(error_of("  - {name: a, clients: [10.0.0.0/8]}"), HasSubstr(":3:5: a tenant needs a 'policy'"));
  EXPECT_THAT(error_of("  - {name: a, policy: npm}"), HasSubstr(":3:5: nobody can be this tenant"));
  EXPECT_THAT(error_of("  - {name: a, policy: npm, client: [10.0.0.0/8]}"), HasSubstr("unknown key 'client'; did you mean 'clients'?"));
  EXPECT_THAT(error_of("  - {name: a, policy: npm, clients: [10.0.0.1/8]}"), HasSubstr(":3:"));
  EXPECT_THAT(error_of("  - {name: a, policy: npm, clients: []}"), HasSubstr("'clients'"));
  EXPECT_THAT(error_of("  - npm"), HasSubstr("expected a mapping"));
  EXPECT_THAT(error_of("  {}"), HasSubstr("'tenants' must be a list"));
}

TEST_F(YamlTenants, TwoCannotBeTheSame) {
  EXPECT_THAT(error_of("  - {name: a, policy: npm, clients: [10.0.0.0/8]}\n  - {name: a, policy: npm, clients: [10.1.0.0/16]}"),
              HasSubstr("there is a tenant 'a' already, at " + path_ + ":3:5"));
  EXPECT_THAT(error_of("  - {name: a, policy: npm, clients: [10.0.0.0/8]}\n  - {name: b, policy: npm, clients: [10.0.0.0/8]}"),
              HasSubstr("10.0.0.0/8 is among the 'clients' of 'a' already"));
  EXPECT_EQ(error_of("  - {name: a, policy: npm, clients: [10.0.0.0/8]}\n  - {name: b, policy: npm, clients: [10.1.0.0/16]}"), "") << "a narrower block";
}

TEST_F(YamlTenants, FileThatIsNoneIsSaid) {
  EXPECT_THAT(read_tenants("/nowhere/t.yaml").error().what, HasSubstr("/nowhere/t.yaml: cannot be read"));
  std::ofstream(path_) << "tenants: [";
  EXPECT_THAT(read_tenants(path_).error().what, HasSubstr(path_ + ":"));
  std::ofstream(path_) << "version: 2\ntenants: [{name: a, policy: npm, listen: ['127.0.0.1:1']}]";
  EXPECT_THAT(read_tenants(path_).error().what, HasSubstr("version: 1"));
}

}  // namespace
}  // namespace sallyport::policies
