#pragma once
// The keys of a policy file: the one table that loader, suggestions and the test of the JSON Schema share. Pure; any
// thread.

#include <span>
#include <string_view>

namespace sallyport::policies {

/// A kind of mapping in a policy file, or in a tenants file (tenants, tenant).
enum class Section { document, rule, git, limits, test, jail, filesystem, environment, dlp, detectors, dlp_exception, credential, credential_file, credential_source, tenants, tenant };

enum class Availability {
  now,
  later,  // a key of the full schema that this version cannot honour: an error, never ignored
};

struct Key {
  std::string_view name;
  Availability availability = Availability::now;
};

std::span<Key const> keys_of(Section section);

}  // namespace sallyport::policies
