sallyport_fuzz_target(canonical_host
  SOURCES policies/canonical_host.cpp policies/address_class.cpp policies/quote.cpp
  LIBRARIES PkgConfig::libidn2)
sallyport_fuzz_target(canonical_path SOURCES policies/canonical_path.cpp policies/quote.cpp)
sallyport_fuzz_target(yaml_loader
  SOURCES policies/quote.cpp policies/nearest.cpp policies/port.cpp policies/digest.cpp policies/problem.cpp
          policies/address_class.cpp policies/canonical_host.cpp policies/canonical_path.cpp policies/host_pattern.cpp
          policies/path_glob.cpp policies/public_suffix.cpp policies/policy_keys.cpp policies/yaml_conditions.cpp policies/yaml_limits.cpp policies/yaml_tests.cpp policies/yaml_dlp.cpp policies/yaml_credentials.cpp
          policies/byte_size.cpp policies/text_glob.cpp policies/condition.cpp policies/git_request.cpp policies/rule_fit.cpp
          policies/rule_reach.cpp policies/yaml_document.cpp
          policies/yaml_map.cpp policies/yaml_rule.cpp policies/yaml_jail.cpp policies/yaml_layer.cpp policies/yaml_writer.cpp
          policies/rule_checks.cpp policies/rule_index.cpp policies/layer.cpp policies/merge.cpp policies/verdict.cpp
  LIBRARIES PkgConfig::yaml-cpp PkgConfig::libpsl PkgConfig::re2 PkgConfig::openssl)
