#pragma once
// Secrets of the caller, to be looked for by their value in what leaves. Reads the environment and files; supervisor only.

#include "dlp/known_values.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sallyport::cli {

/// Whether a variable's name says that its value is secret: API_TOKEN, db_password, STRIPE_SECRET_KEY.
bool names_a_secret(std::string_view name);

/// Whether a value is one word that can be looked for by itself. Paths, URLs, JSON and keys in PEM form are not: detectors
/// know the last three.
bool can_be_known(std::string_view value);

std::vector<dlp::KnownValue> known_in_environment(std::map<std::string, std::string> const& environment);

/// Of the files .env and .env.NAME in `directory`, except examples and templates. A file that cannot be read holds nothing:
/// the jail's own files are hostile. NAME=value a line, with or without `export` and quotes.
std::vector<dlp::KnownValue> known_in_dotenv(std::string const& directory);

}  // namespace sallyport::cli
