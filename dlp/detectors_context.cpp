// Things known by the words around them: URLs with passwords, assignments, account numbers.

#include "dlp/detector.hpp"

namespace sallyport::dlp {
namespace {

constexpr ByteSet kUserInfo = ByteSet::of("!$-.0-;=A-Z_a-z~");  // RFC 3986 section 3.2.1, percent-encoding aside

// The rest of a name, and what stands between it and its value: an assignment, the end of an XML element's start, the blank
// line of a part of a form, or a second name, "value".
#define SALLYPORT_ASSIGNS                                                                                       \
  "[\\w.-]{0,24}(?:[\\\"'\\]\\\\]{0,4}\\s{0,3}(?:=>|:=|=|:)\\s{0,3}\\\\{0,2}[\\\"']?|[\\\"']?>|[\\\"']?\\r\\n\\r\\n|[\\\"'\\\\]{0,3},?(?:\\s|" \
  "\\\\[nr]){0,12}[\\\"'\\\\]{0,3}value[\\\"'\\\\]{0,3}\\s{0,3}[:=]\\s{0,3}\\\\{0,2}[\\\"']?)"

constexpr Detector kDetectors[] = {
    {.id = "database-url",
     .title = "Database URL with a password",
     .literals = {"postgres://", "postgresql://", "mysql://", "mongodb://", "mongodb+srv://", "redis://", "rediss://",
                  "amqp://", "amqps://", "mssql://"},
     .pattern = "(?:postgres(?:ql)?|mysql|mongodb(?:\\+srv)?|rediss?|amqps?|mssql)://[^\\s:/@?#\\\"'<>\\\\]{0,64}:([^\\s/"
                "@?#\\\"'<>\\\\]{1,128})@[0-9A-Za-z_.-]+",
     .body = kUserInfo,
     .min = 4,
     .follow = '@',
     .reach = 400,
     .check = Check::url_password,
     .tier = Tier::structural,
     .severity = Severity::critical,
     .example = "postgres://app:<b62*20>@db.internal.test:5432/app",
     .near_miss = "postgres://app:password@db.internal.test/app"},
    {.id = "url-password",
     .title = "URL with a password",
     .literals = {"://"},
     .pattern = "://[^\\s:/@?#\\\"'<>\\\\]{1,64}:([^\\s/@?#\\\"'<>\\\\]{1,128})@[0-9A-Za-z_.-]+",
     .body = kUserInfo,
     .min = 4,
     .follow = '@',
     .reach = 400,
     .check = Check::url_password,
     .tier = Tier::structural,
     .example = "https://build:<b62*20>@git.internal.test/app.git",
     .near_miss = "https://build:${TOKEN}@git.internal.test/app.git"},
    {.id = "connection-string",
     .title = "Password in a connection string",
     .literals = {"password=", "pwd="},
     .letter_case = Case::ignored,
     .pattern = "(?i)(?:password|pwd)=([!#-%(-:=?-~]{6,128});",
     .reach = 200,
     .check = Check::password,
     .tier = Tier::structural,
     .example = "Server=db.test;User Id=app;Password=<b62*16>;",
     .near_miss = "Server=db.test;User Id=app;Password=changeme;"},
    {.id = "pypirc-password",
     .title = "Password of a package index in .pypirc",
     .literals = {"repository"},
     .pattern = "repository\\s{0,3}[:=]\\s{0,3}https?://[^\\s\\\\\\\"]{4,120}(?:\\s|\\\\[nr]){1,4}username\\s{0,3}[:=]\\s{0,3}[^\\s\\\\]{1,64}(?:\\s|\\"
                "\\[nr]){1,4}password\\s{0,3}[:=]\\s{0,3}([^\\s\\\\\\\"]{8,128})",
     .reach = 500,
     .check = Check::password,
     .tier = Tier::structural,
     .example = "repository = https://pypi.internal.test\nusername = bot\npassword = <b62*22>7",
     .near_miss = "repository = https://pypi.internal.test\nusername = bot\npassword = changeme"},
    {.id = "kubeconfig-token",
     .title = "Token of a user in a kubeconfig",
     .literals = {"user:"},
     .pattern = "user:(?:\\s|\\\\[nr]){1,12}token:\\s{0,3}[\\\"']?([0-9A-Za-z._-]{20,})",
     .reach = 1200,
     .check = Check::random,
     .tier = Tier::structural,
     .example = "user:\n    token: <b64u*60>",
     .near_miss = "user:\n    token: ${TOKEN_OF_THE_CLUSTER}"},
    {.id = "assigned-password",
     .title = "Password assigned to a name that says so",
     .literals = {"password", "passwd", "passphrase", "pass=", "pass\"", "pwd=", "pwd:", "pwd\""},
     .letter_case = Case::ignored,
     .pattern = "(?i)(?:password|passwd|passphrase|pass|pwd)" SALLYPORT_ASSIGNS "([^\\s\\\"'`,;<>(){}\\[\\]&|\\\\]{8,128})",
     .check = Check::password,
     .tier = Tier::generic,
     .severity = Severity::medium,
     .example = "db_password: <b62*13>7",
     .near_miss = "db_password: secret"},
    {.id = "assigned-secret",
     .title = "Random value assigned to a name that says secret",
     .literals = {"secret", "token", "api_key", "apikey", "api-key", "access_key", "private_key", "credential", "auth_key",
                  "client_key"},
     .letter_case = Case::ignored,
     .pattern = "(?i)(?:secret|token|api[_-]?key|access_key|private_key|credential|auth_key|client_key)" SALLYPORT_ASSIGNS
                "([^\\s\\\"'`,;<>(){}\\[\\]&|\\\\]{12,160})",
     .check = Check::random,
     .tier = Tier::generic,
     .severity = Severity::medium,
     .example = "app_secret = <b62*32>",
     .near_miss = "app_secret = process.env.APP_SECRET_1"},
    {.id = "high-entropy",
     .title = "Random value some words behind one that says secret",
     .literals = {"secret", "token", "password", "passwd", "passphrase", "api_key", "api key", "apikey", "access key",
                  "credential"},
     .letter_case = Case::ignored,
     .pattern = "(?i)(?:secret|token|password|passwd|passphrase|api[_ ]?key|access key|credential)[^\\r\\n{}\\[\\]<>;,]{0,40}?"
                "[\\s\"'`(=|]([0-9A-Za-z+/_-]{24,64})={0,2}(?:[^0-9A-Za-z+/_=-]|$)",
     .reach = 160,
     .check = Check::lone_random,
     .tier = Tier::generic,
     .severity = Severity::medium,
     .example = "log in with the secret that I made: <b62*32> (for staging)",
     .near_miss = "token v1.2.0 h1:<b62*43>="},
    {.id = "payment-card",
     .title = "Payment card number beside its name",
     .literals = {"card", "visa"},
     .letter_case = Case::ignored,
     .pattern = "(?i)(?:card|visa)[\\w .-]{0,24}\\\\{0,2}[\\\"']?\\s{0,3}[:=]\\s{0,3}\\\\{0,2}[\\\"']?((?:[3-6][0-9]{3}[ -]?(?:[0-9]{4}[ "
                "-]?){2}[0-9]{3,4}))(?:[^0-9]|$)",
     .check = Check::luhn,
     .tier = Tier::context,
     .severity = Severity::medium,
     .example = "card_number: <card>",
     .near_miss = "card_number: 4000000000000000"},
    {.id = "iban",
     .title = "International bank account number beside its name",
     .literals = {"iban"},
     .letter_case = Case::ignored,
     .pattern = "(?i:iban)[\\w .-]{0,16}[\\\"']?\\s{0,3}[:=]?\\s{0,3}\\\\{0,2}[\\\"']?([A-Z]{2}[0-9]{2}[ ]?(?:[0-9A-Z]{4}[ "
                "]?){2,7}[0-9A-Z]{0,4})",
     .check = Check::iban,
     .tier = Tier::context,
     .severity = Severity::medium,
     .example = "iban: <iban>",
     .near_miss = "iban: DE00370400440532013000"},
};

#undef SALLYPORT_ASSIGNS

}  // namespace

std::span<Detector const> context_detectors() { return kDetectors; }

}  // namespace sallyport::dlp
