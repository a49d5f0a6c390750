#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <stop_token>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "base/result.h"

namespace kb::net {

struct Response {
  int status = 0;
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;                            // what was kept of it
  uint64_t body_bytes = 0;                     // received in all
  double seconds = 0;

  // Of that name in lower case; empty when there is none.
  std::string Header(const std::string& name) const;
};

// What becomes of a piece of the body.
enum class Take {
  kKeep,  // append it to Response::body
  kDrop,  // it was dealt with
  kEnd,   // it was dealt with and nothing more is wanted: success
};

struct Request {
  std::string method = "GET";
  std::string url;  // http or https
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
  std::chrono::milliseconds connect_timeout{15000};
  std::chrono::milliseconds idle_timeout{300000};  // without a byte
  std::chrono::milliseconds total_timeout{3600000};
  uint64_t max_body_bytes = uint64_t{64} << 20;  // received; more is kTooLarge
  // Called in Send's thread with each piece of the body, when status and
  // headers of `so_far` are known. Absent: everything is kept.
  std::function<Take(const Response& so_far, std::string_view piece)> on_data;
};

struct Failure {
  enum class Kind {
    kConnect,   // no such host, nobody listens there
    kTls,       // a certificate: the other end is not who it should be
    kTimeout,   // connecting, silence, or all of it took too long
    kReset,     // the connection, or TLS on it, ended before the answer did
    kTooLarge,  // more than Request::max_body_bytes
    kRedirect,  // never followed: headers may hold a key
    kCancelled,
    kOther,  // no libcurl, an address that cannot be used
  };
  Kind kind = Kind::kOther;
  std::string message;  // never holds a header of the request or its body
};

// One request over libcurl. The certificate is checked; proxies come from the
// environment as curl reads it (https_proxy, no_proxy, ...). Any status but a
// redirect is a Response. Ends at once when `stop` is requested. May be called
// from several threads at once.
tl::expected<Response, Failure> Send(const Request& request,
                                     const std::stop_token& stop);

// An Error that says which package to install when libcurl cannot be loaded.
base::Result<void> CheckLibrary();

}  // namespace kb::net
