// Real clients under `inspect: full`, unchanged: each trusts the session's authority without anybody's doing, with and without the
// variables of the session, and each request is in the log with its method and path.

#include "tests/integration/refusals.hpp"
#include "tests/support/temp_dir.hpp"

#include <gmock/gmock.h>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace sallyport::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

constexpr char kPolicy[] =
    "version: 1\n"
    "name: trust\n"
    "egress:\n"
    "  - {name: web, hosts: [web.example], methods: [GET], hint: Only reading is open here.}\n"
    "  - {name: git, hosts: [git.example], git: {repos: [team/*]}}\n"
    "  - {name: closed, hosts: [closed.example], inspect: sni}\n";

/// A web server behind names of the policy, and a jail that reaches it.
class Trust : public testing::Test {
 protected:
  Trust() {
    jail_.set_policy(kPolicy);
    fs::create_directories(web_ / "www/simple/demo");
    write_file(web_ / "www/hello", "hello\n");
    server_ = std::make_unique<Process>(Command{.argv = {"python3", SALLYPORT_WEB_SERVER, web_.path().string(), "web.example", "git.example",
                                                         "closed.example", "pypi.org", "files.pythonhosted.org"},
                                                .after_input = AfterInput::keep_open});
    if (!server_->wait_for_output("\n", 20s)) throw std::runtime_error("the web server does not start");
    port_ = static_cast<unsigned>(std::stoul(server_->out().substr(5)));
  }

  JailOutcome run(std::vector<std::string> const& argv, std::vector<std::string> options = {}) {
    for (std::string const name : {"web.example", "git.example", "closed.example", "pypi.org", "files.pythonhosted.org"}) {
      auto const pinned = pin(name, 443, port_);
      options.insert(options.end(), pinned.begin(), pinned.end());
    }
    options.insert(options.end(), {"--ca-bundle", (web_ / "ca.pem").string()});
    auto command = jail_.command(options, argv);
    command.timeout = 60s;
    return jail_.run(std::move(command));
  }
  JailOutcome shell(std::string const& script, std::vector<std::string> options = {}) { return run({"sh", "-c", script}, std::move(options)); }
  /// The same without any variable but where programs are.
  JailOutcome bare_shell(std::string const& script) {
    return run({"env", "-i", "PATH=/usr/bin:/bin", "sh", "-c", script});
  }

  static bool missing(std::string const& program) { return !fs::exists("/usr/bin/" + program); }

  /// The client printed what the server has, and the log says what it asked for.
  void expect_read(JailOutcome const& outcome, std::string const& leg) {
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err << print(outcome.records);
    EXPECT_THAT(outcome.out, HasSubstr("hello"));
    expect_recorded(outcome, {{"type", "egress.request"}, {"leg", leg}, {"scheme", "https"}, {"method", "GET"}, {"path", "/hello"},
                              {"host", "web.example"}, {"verdict", "allow"}, {"rule", "web"}});
  }
  std::string requests() const { return fs::exists(web_ / "requests") ? read_file((web_ / "requests").string()) : ""; }

  Jail jail_;
  TempDir web_;
  std::unique_ptr<Process> server_;
  unsigned port_ = 0;
};

TEST_F(Trust, Curl) { expect_read(run({"curl", "-sS", "https://web.example/hello"}), "connect"); }

TEST_F(Trust, CurlWithoutVariables) { expect_read(bare_shell("curl -sS https://web.example/hello"), "transparent"); }

TEST_F(Trust, Wget) {
  if (missing("wget")) GTEST_SKIP() << "no wget";
  expect_read(run({"wget", "-qO-", "https://web.example/hello"}), "connect");
  expect_read(bare_shell("wget -qO- https://web.example/hello"), "transparent");
}

TEST_F(Trust, OpenSsl) {
  auto const outcome = bare_shell("echo | openssl s_client -connect web.example:443 -servername web.example -verify_return_error");
  EXPECT_THAT(outcome.out, HasSubstr("Verify return code: 0 (ok)")) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("Sallyport"));
}

TEST_F(Trust, NodeHttpsAndFetch) {
  expect_read(run({"node", "-e", "require('https').get('https://web.example/hello', r => r.pipe(process.stdout))"}), "transparent");
  expect_read(run({"node", "-e", "fetch('https://web.example/hello').then(r => r.text()).then(console.log)"}), "transparent");
}

constexpr char kPython[] =
    "python3 -c \"import ssl, urllib.request as r\n"
    "c = ssl.create_default_context(); c.verify_flags |= ssl.VERIFY_X509_STRICT\n"
    "print(r.urlopen('https://web.example/hello', context=c).read())\"";

TEST_F(Trust, PythonWithStrictChecks) {
  expect_read(shell(kPython), "connect");
  expect_read(bare_shell(kPython), "transparent");
}

TEST_F(Trust, Perl) {
  if (missing("perl") || run_command({.argv = {"perl", "-MIO::Socket::SSL", "-e", "1"}}).exit_code != 0) GTEST_SKIP() << "no IO::Socket::SSL";
  expect_read(bare_shell("perl -MHTTP::Tiny -e 'print HTTP::Tiny->new(verify_SSL => 1)->get(q(https://web.example/hello))->{content}'"),
              "transparent");
}

constexpr char kGo[] =
    "package main\nimport (\"io\"; \"net/http\"; \"os\")\n"
    "func main() {\n\tanswer, err := http.Get(\"https://web.example/hello\")\n\tif err != nil { panic(err) }\n\tio.Copy(os.Stdout, answer.Body)\n}\n";

/// A program of Go's own TLS, with no library of the system's.
TEST_F(Trust, Go) {
  if (missing("go")) GTEST_SKIP() << "no go";
  auto const source = jail_.add_file("fetch.go", kGo).string();
  auto const program = (jail_.workspace() / "fetch").string();
  auto const built = run_command({.argv = {"sh", "-c", "GOCACHE=" + (web_ / "cache").string() + " CGO_ENABLED=0 go build -o " + program + " " + source}, .timeout = 300s});
  ASSERT_EQ(built.exit_code, 0) << built.err;
  expect_read(run({program}), "connect");
  expect_read(bare_shell(program), "transparent");
}

constexpr char kJava[] =
    "import java.net.URI; import java.net.http.*;\n"
    "class Fetch { public static void main(String[] a) throws Exception {\n"
    "  var request = HttpRequest.newBuilder(URI.create(\"https://web.example/hello\")).build();\n"
    "  System.out.print(HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build().send(request, HttpResponse.BodyHandlers.ofString()).body()); } }\n";

TEST_F(Trust, Java) {
  if (missing("javac")) GTEST_SKIP() << "no JDK";
  jail_.add_file("Fetch.java", kJava);
  auto const outcome = run({"java", "Fetch.java"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("hello"));
  expect_read(bare_shell("java Fetch.java"), "transparent");
}

/// Its own sandbox needs namespaces, which a jail does not give away.
TEST_F(Trust, HeadlessChromium) {
  if (missing("chromium")) GTEST_SKIP() << "no chromium";
  auto const outcome = run({"chromium", "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", "https://web.example/hello"});
  EXPECT_THAT(outcome.out, HasSubstr("hello")) << outcome.err;
  expect_recorded(outcome, {{"type", "egress.request"}, {"scheme", "https"}, {"method", "GET"}, {"path", "/hello"}, {"host", "web.example"},
                            {"verdict", "allow"}, {"rule", "web"}});
}

TEST_F(Trust, AWriteIsRefusedWithAReasonAndNeverArrives) {
  auto const outcome = run({"curl", "-sS", "-X", "PUT", "-d", "x", "https://web.example/hello"});
  EXPECT_THAT(outcome.out, HasSubstr("method_not_allowed"));
  EXPECT_THAT(outcome.out, HasSubstr("Only reading is open here."));
  expect_recorded(outcome, {{"method", "PUT"}, {"path", "/hello"}, {"verdict", "deny"}, {"reason", "method_not_allowed"}});
  EXPECT_EQ(requests(), "");
}

TEST_F(Trust, AClosedConnectionIsVerifiedByTheClientItself) {
  jail_.add_file("ca.pem", read_file((web_ / "ca.pem").string()));
  auto const outcome = run({"curl", "-sS", "--cacert", "ca.pem", "https://closed.example/hello"});
  EXPECT_EQ(outcome.out, "hello\n") << outcome.err;
  expect_recorded(outcome, {{"host", "closed.example"}, {"verdict", "allow"}, {"rule", "closed"}});
}

TEST_F(Trust, NothingIsChangedWhereNoRuleOpensTls) {
  jail_.set_policy("version: 1\negress: [{hosts: [closed.example], inspect: sni}]\n");
  auto const outcome = shell("env | grep -c sallyport/; ls /.sallyport");
  EXPECT_THAT(outcome.out, testing::StartsWith("0\n"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("crt")));
}

TEST_F(Trust, GitClonesAndDoesNotPush) {
  auto const repo = (web_ / "git/team/demo.git").string();
  auto const made = run_command({.argv = {"sh", "-c",
                                          "set -e; git init -q --bare -b main " + repo + "; git -C " + repo + " config http.receivepack true; d=$(mktemp -d); "
                                          "git -C $d init -q -b main; echo hi > $d/file; git -C $d add file; git -C $d -c user.name=a -c user.email=a@b commit -qm one; "
                                          "git -C $d push -q " + repo + " main; rm -r $d"}});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  auto const outcome = shell(
      "git clone -q https://git.example/team/demo.git && cat demo/file && cd demo && echo more >> file &&"
      " git -c user.name=a -c user.email=a@b commit -qam two && ! git push origin main");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_EQ(outcome.out, "hi\n");
  EXPECT_THAT(outcome.err, HasSubstr("403"));
  expect_recorded(outcome, {{"method", "POST"}, {"path", "/team/demo.git/git-upload-pack"}, {"verdict", "allow"}, {"rule", "git"}});
  expect_recorded(outcome, {{"host", "git.example"}, {"verdict", "deny"}, {"reason", "git_write_not_allowed"}});
  EXPECT_THAT(requests(), Not(HasSubstr("receive-pack")));
  auto const other = shell("git clone -q https://git.example/other/demo.git other");
  expect_recorded(other, {{"verdict", "deny"}, {"reason", "git_repo_not_allowed"}});
}

/// A wheel is a zip file; Python can make one.
constexpr char kWheel[] =
    "import sys, zipfile\n"
    "with zipfile.ZipFile(sys.argv[1] + '/demo-1.0-py3-none-any.whl', 'w') as z:\n"
    "  z.writestr('demo.py', 'answer = 42\\n')\n"
    "  z.writestr('demo-1.0.dist-info/METADATA', 'Metadata-Version: 2.1\\nName: demo\\nVersion: 1.0\\n')\n"
    "  z.writestr('demo-1.0.dist-info/WHEEL', 'Wheel-Version: 1.0\\nGenerator: x\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')\n"
    "  z.writestr('demo-1.0.dist-info/RECORD', 'demo.py,,\\ndemo-1.0.dist-info/METADATA,,\\ndemo-1.0.dist-info/WHEEL,,\\ndemo-1.0.dist-info/RECORD,,\\n')\n";

TEST_F(Trust, PipInstallsFromAnIndexInThePlaceOfPyPi) {
  if (run_command({.argv = {"python3", "-m", "pip", "--version"}, .environment = std::vector<std::string>{"PATH=/usr/bin:/bin"}}).exit_code != 0)
    GTEST_SKIP() << "no pip";
  fs::create_directories(web_ / "www/packages");
  ASSERT_EQ(run_command({.argv = {"python3", "-c", kWheel, (web_ / "www/packages").string()}}).exit_code, 0);
  write_file(web_ / "www/simple/demo/index.html",
             "<a href='https://files.pythonhosted.org/packages/demo-1.0-py3-none-any.whl'>demo-1.0-py3-none-any.whl</a>");
  std::string const install = "python3 -m pip install -q --disable-pip-version-check --target t demo && PYTHONPATH=t python3 -c 'import demo; print(demo.answer)'";
  auto const outcome = shell(install, {"--policy", "pypi"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err << print(outcome.records);
  EXPECT_EQ(outcome.out, "42\n");
  expect_recorded(outcome, {{"method", "GET"}, {"host", "pypi.org"}, {"path", "/simple/demo/"}, {"rule", "pypi-fetch"}});
  auto const bare = run({"env", "-i", "PATH=/usr/bin:/bin", "HOME=" + jail_.home().string(), "sh", "-c", "rm -rf t; " + install}, {"--policy", "pypi"});
  EXPECT_EQ(bare.out, "42\n") << bare.err;
}

constexpr char kArchive[] =
    "mkdir -p debian/dists/stable/main/binary-$(dpkg --print-architecture) debian/pool package/DEBIAN && cd debian && "
    "printf 'Package: sallyport-demo\\nVersion: 4.2\\nArchitecture: all\\nMaintainer: nobody\\nDescription: none\\n' > ../package/DEBIAN/control && "
    "dpkg-deb --root-owner-group --build ../package pool/sallyport-demo.deb && dpkg-scanpackages pool > Packages && mv Packages dists/stable/main/binary-*/";
constexpr char kAptGet[] =
    "mkdir -p state/lists/partial cache/archives/partial && touch status && echo 'deb [trusted=yes] http://deb.debian.org/debian stable main' > sources.list && "
    "apt() { apt-get -qq -o Dir::State=$PWD/state -o Dir::State::status=$PWD/status -o Dir::Cache=$PWD/cache -o Dir::Etc::sourcelist=$PWD/sources.list "
    "-o Dir::Etc::sourceparts=- -o APT::Sandbox::User= -o Acquire::Languages=none -o Acquire::http::Proxy=\"$http_proxy\" \"$@\"; } && "
    "apt update && apt download sallyport-demo && dpkg-deb -f sallyport-demo*.deb Version";

TEST_F(Trust, AptGetDownloadsOverPlainHttp) {
  TempDir const archive;
  auto const made = run_command({.argv = {"sh", "-c", "cd " + archive.path().string() + " && " + kArchive}});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  Process server(Command{.argv = {"python3", "-u", "-m", "http.server", "--bind", "127.0.0.1", "--directory", archive.path().string(), "0"}});
  ASSERT_TRUE(server.wait_for_output("port ", 20s) && server.wait_for_output("/)", 20s));
  auto const at = server.out().find("port ") + 5;
  auto options = pin("deb.debian.org", 80, static_cast<unsigned>(std::stoul(server.out().substr(at))));
  options.insert(options.end(), {"--policy", "debian"});
  auto const outcome = shell(kAptGet, options);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err << print(outcome.records);
  EXPECT_THAT(outcome.out, HasSubstr("4.2"));
  expect_recorded(outcome, {{"method", "GET"}, {"host", "deb.debian.org"}, {"path", "/debian/pool/sallyport-demo.deb"}, {"rule", "debian-archive"}});
}

}  // namespace
}  // namespace sallyport::test
