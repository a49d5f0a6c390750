#include "values.h"

namespace kb::store {

std::string NameOf(record::Track track) { return record::TrackName(track); }
std::string NameOf(record::Backend backend) {
  return record::BackendName(backend);
}
std::string NameOf(const record::Size& size) { return record::SizeName(size); }
std::string NameOf(record::Precision precision) {
  return record::PrecisionName(precision);
}
std::string NameOf(record::Verdict verdict) {
  return record::VerdictName(verdict);
}
std::string NameOf(record::BaselineMode mode) {
  return record::BaselineModeName(mode);
}
std::string NameOf(record::GenerationStatus status) {
  return record::GenerationStatusName(status);
}

namespace {

template <typename E>
bool Take(const std::optional<E>& parsed, E* out) {
  if (parsed) *out = *parsed;
  return parsed.has_value();
}

}  // namespace

bool ParseName(const std::string& name, record::Track* out) {
  return Take(record::ParseTrack(name), out);
}
bool ParseName(const std::string& name, record::Backend* out) {
  return Take(record::ParseBackend(name), out);
}
bool ParseName(const std::string& name, record::Size* out) {
  return Take(record::ParseSize(name), out);
}
bool ParseName(const std::string& name, record::Precision* out) {
  return Take(record::ParsePrecision(name), out);
}
bool ParseName(const std::string& name, record::Verdict* out) {
  return Take(record::ParseVerdict(name), out);
}
bool ParseName(const std::string& name, record::BaselineMode* out) {
  return Take(record::ParseBaselineMode(name), out);
}
bool ParseName(const std::string& name, record::GenerationStatus* out) {
  return Take(record::ParseGenerationStatus(name), out);
}

}  // namespace kb::store
