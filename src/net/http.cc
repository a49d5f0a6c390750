#include "net/http.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <memory>
#include <optional>

#include "base/text.h"
#include "curl_library.h"

namespace kb::net {
namespace {

using Clock = std::chrono::steady_clock;
using Kind = Failure::Kind;
using std::chrono::milliseconds;

constexpr size_t kMaxHeaders = 256;
// How late a time-out may be noticed.
constexpr milliseconds kTick{100};

tl::unexpected<Failure> Failed(Kind kind, std::string message) {
  return tl::unexpected<Failure>(Failure{kind, std::move(message)});
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  return lower;
}

// Without what stands before an @ or behind a ?.
std::string WithoutSecrets(const std::string& url) {
  std::string shown = url.substr(0, url.find_first_of("?#"));
  const size_t scheme = shown.find("://");
  const size_t start = scheme == std::string::npos ? 0 : scheme + 3;
  const size_t end = shown.find('/', start);
  const size_t at = shown.substr(0, end).rfind('@');
  if (at != std::string::npos && at >= start)
    shown.erase(start, at + 1 - start);
  return shown;
}

bool HasControl(const std::string& text) {
  return std::any_of(text.begin(), text.end(),
                     [](unsigned char c) { return c < 0x20 || c == 0x7f; });
}

struct FreeList {
  const Curl* curl;
  void operator()(curl_slist* list) const { curl->slist_free_all(list); }
};
using HeaderList = std::unique_ptr<curl_slist, FreeList>;

// One request on its way. Its address is given to libcurl, so it stays where it
// is.
class Transfer {
 public:
  Transfer(const Curl& curl, const Request& request)
      : curl_(curl),
        request_(request),
        where_(WithoutSecrets(request.url)),
        easy_(curl.easy_init()),
        multi_(curl.multi_init()),
        headers_(nullptr, FreeList{&curl}) {}
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;
  ~Transfer() {
    if (multi_ != nullptr && easy_ != nullptr)
      curl_.multi_remove_handle(multi_, easy_);
    if (easy_ != nullptr) curl_.easy_cleanup(easy_);
    if (multi_ != nullptr) curl_.multi_cleanup(multi_);
  }

  tl::expected<Response, Failure> Run(const std::stop_token& stop) {
    if (easy_ == nullptr || multi_ == nullptr)
      return Failed(Kind::kOther, "libcurl has no memory");
    if (!SetUp())
      return Failed(Kind::kOther,
                    fmt::format("{}: libcurl does not take this address or "
                                "one of our settings",
                                where_));
    started_ = last_byte_ = Clock::now();
    curl_.multi_add_handle(multi_, easy_);
    const std::stop_callback wake(stop, [this] { curl_.multi_wakeup(multi_); });
    std::optional<CURLcode> result;
    while (!result) {
      if (stop.stop_requested()) return Failed(Kind::kCancelled, "cancelled");
      if (auto late = TooLate()) return Failed(Kind::kTimeout, *late);
      result = Step();
    }
    return Outcome(*result);
  }

 private:
  template <typename T>
  bool Set(CURLoption option, T value) {
    return curl_.easy_setopt(easy_, option, value) == CURLE_OK;
  }

  bool SetUp() {
    const auto connect = static_cast<long>(request_.connect_timeout.count());
    bool ok = SetProtocols() && SetHeaders() && SetBody();
    ok = ok && Set(CURLOPT_URL, request_.url.c_str());
    ok = ok && Set(CURLOPT_NOSIGNAL, 1L) && Set(CURLOPT_FOLLOWLOCATION, 0L);
    ok = ok && Set(CURLOPT_SSL_VERIFYPEER, 1L);
    ok = ok && Set(CURLOPT_SSL_VERIFYHOST, 2L);
    ok = ok && Set(CURLOPT_CONNECTTIMEOUT_MS, connect);
    ok = ok && Set(CURLOPT_TCP_KEEPALIVE, 1L);
    ok = ok && Set(CURLOPT_USERAGENT, "kernelbench/" KB_VERSION);
    ok = ok && Set(CURLOPT_ERRORBUFFER, error_.data());
    ok = ok && Set(CURLOPT_HEADERFUNCTION, &Transfer::OnHeader);
    ok = ok && Set(CURLOPT_HEADERDATA, this);
    ok = ok && Set(CURLOPT_WRITEFUNCTION, &Transfer::OnData);
    return ok && Set(CURLOPT_WRITEDATA, this);
  }

  // By words since libcurl 7.85, by bits before.
  bool SetProtocols() {
    constexpr auto kWords = static_cast<CURLoption>(10318);
    return Set(kWords, "http,https") ||
           Set(CURLOPT_PROTOCOLS, long{CURLPROTO_HTTP | CURLPROTO_HTTPS});
  }

  bool SetHeaders() {
    // Without these, curl waits for a "100 Continue" before a large body.
    std::vector<std::string> lines{"Expect:"};
    for (const auto& [name, value] : request_.headers) {
      if (HasControl(name) || HasControl(value)) return false;
      lines.push_back(fmt::format("{}: {}", name, value));
    }
    for (const std::string& line : lines) {
      curl_slist* before = headers_.release();
      curl_slist* longer = curl_.slist_append(before, line.c_str());
      headers_.reset(longer == nullptr ? before : longer);
      if (longer == nullptr) return false;
    }
    return Set(CURLOPT_HTTPHEADER, headers_.get());
  }

  bool SetBody() {
    if (request_.method == "GET") return Set(CURLOPT_HTTPGET, 1L);
    const auto size = static_cast<curl_off_t>(request_.body.size());
    return Set(CURLOPT_POST, 1L) && Set(CURLOPT_POSTFIELDSIZE_LARGE, size) &&
           Set(CURLOPT_POSTFIELDS, request_.body.c_str()) &&
           Set(CURLOPT_CUSTOMREQUEST, request_.method.c_str());
  }

  // Moves bytes and waits for more; the result once the transfer is over.
  std::optional<CURLcode> Step() {
    int running = 0;
    if (curl_.multi_perform(multi_, &running) != CURLM_OK)
      return CURLE_FAILED_INIT;
    int left = 0;
    while (const CURLMsg* message = curl_.multi_info_read(multi_, &left))
      if (message->msg == CURLMSG_DONE) return message->data.result;
    const auto wait = static_cast<int>(kTick.count());
    if (running != 0) curl_.multi_poll(multi_, nullptr, 0, wait, nullptr);
    return std::nullopt;
  }

  std::optional<std::string> TooLate() const {
    const auto now = Clock::now();
    const auto seconds = [](milliseconds time) { return time.count() / 1e3; };
    if (now - started_ > request_.total_timeout)
      return fmt::format("{}: not done after {:g} s", where_,
                         seconds(request_.total_timeout));
    if (now - last_byte_ > request_.idle_timeout)
      return fmt::format("{}: silent for {:g} s", where_,
                         seconds(request_.idle_timeout));
    return std::nullopt;
  }

  tl::expected<Response, Failure> Outcome(CURLcode code) {
    response_.seconds =
        std::chrono::duration<double>(Clock::now() - started_).count();
    if (too_large_)
      return Failed(Kind::kTooLarge,
                    fmt::format("{}: the answer is longer than {} bytes",
                                where_, request_.max_body_bytes));
    if (HeaderIsTooLong(code))
      return Failed(Kind::kReset,
                    fmt::format("{}: a header of the answer is longer than "
                                "libcurl takes; look at the server, or at the "
                                "proxy before it",
                                where_));
    if (code != CURLE_OK && !ended_)
      return Failed(KindOf(code), fmt::format("{}: {}", where_, Why(code)));
    if (response_.status >= 300 && response_.status < 400)
      return Failed(
          Kind::kRedirect,
          fmt::format("{}: status {} sends us to {}, where we do not go; "
                      "correct the address",
                      where_, response_.status,
                      base::Shorten(base::Printable(WithoutSecrets(
                                        response_.Header("location"))),
                                    200)));
    return std::move(response_);
  }

  // Before libcurl 8.6 that was "out of memory".
  bool HeaderIsTooLong(CURLcode code) const {
    constexpr int kTooLarge = 100;
    return static_cast<int>(code) == kTooLarge ||
           (code == CURLE_OUT_OF_MEMORY && response_.status != 0 &&
            response_.body_bytes == 0);
  }

  std::string Why(CURLcode code) const {
    const std::string detail(base::Trim(error_.data()));
    return base::Printable(detail.empty() ? curl_.easy_strerror(code)
                                          : detail.c_str());
  }

  static Kind KindOf(CURLcode code) {
    switch (code) {
      case CURLE_COULDNT_RESOLVE_HOST:
      case CURLE_COULDNT_RESOLVE_PROXY:
      case CURLE_COULDNT_CONNECT:
        return Kind::kConnect;
      case CURLE_PEER_FAILED_VERIFICATION:
      case CURLE_SSL_CACERT_BADFILE:
      case CURLE_SSL_CERTPROBLEM:
      case CURLE_SSL_ISSUER_ERROR:
      case CURLE_SSL_CIPHER:
      case CURLE_SSL_INVALIDCERTSTATUS:
        return Kind::kTls;
      case CURLE_OPERATION_TIMEDOUT:
        return Kind::kTimeout;
      case CURLE_UNSUPPORTED_PROTOCOL:
      case CURLE_URL_MALFORMAT:
      case CURLE_FAILED_INIT:
      case CURLE_OUT_OF_MEMORY:
      case CURLE_NOT_BUILT_IN:
        return Kind::kOther;
      // SSL_CONNECT_ERROR, RECV_ERROR, PARTIAL_FILE, GOT_NOTHING, HTTP2_STREAM,
      // ...
      default:
        return Kind::kReset;
    }
  }

  static size_t OnHeader(char* bytes, size_t size, size_t count, void* self) {
    static_cast<Transfer*>(self)->AddHeader({bytes, size * count});
    return size * count;
  }

  // A status line begins anew: a proxy or a "100 Continue" answered before.
  void AddHeader(std::string_view line) {
    last_byte_ = Clock::now();
    if (line.starts_with("HTTP/")) {
      response_.headers.clear();
      response_.status = 0;
      const size_t space = line.find(' ');
      for (size_t i = space + 1; space != line.npos && i < line.size() &&
                                 i < space + 4 && std::isdigit(line[i]) != 0;
           ++i)
        response_.status = response_.status * 10 + (line[i] - '0');
      return;
    }
    const size_t colon = line.find(':');
    if (colon == line.npos || response_.headers.size() >= kMaxHeaders) return;
    response_.headers[Lower(base::Trim(line.substr(0, colon)))] =
        std::string(base::Trim(line.substr(colon + 1)));
  }

  static size_t OnData(char* bytes, size_t size, size_t count, void* self) {
    const size_t length = size * count;
    // Fewer than it had make libcurl stop.
    return static_cast<Transfer*>(self)->AddData({bytes, length}) ? length : 0;
  }

  bool AddData(std::string_view piece) {
    if (piece.empty()) return true;
    last_byte_ = Clock::now();
    response_.body_bytes += piece.size();
    too_large_ = response_.body_bytes > request_.max_body_bytes;
    if (too_large_) return false;
    const Take take =
        request_.on_data ? request_.on_data(response_, piece) : Take::kKeep;
    if (take == Take::kKeep) response_.body += piece;
    ended_ = take == Take::kEnd;
    return !ended_;
  }

  const Curl& curl_;
  const Request& request_;
  std::string where_;
  CURL* easy_;
  CURLM* multi_;
  HeaderList headers_;
  std::array<char, CURL_ERROR_SIZE> error_{};
  Clock::time_point started_;
  Clock::time_point last_byte_;
  Response response_;
  bool too_large_ = false;
  bool ended_ = false;
};

}  // namespace

std::string Response::Header(const std::string& name) const {
  const auto found = headers.find(name);
  return found == headers.end() ? "" : found->second;
}

tl::expected<Response, Failure> Send(const Request& request,
                                     const std::stop_token& stop) {
  const auto& curl = LoadCurl();
  if (!curl) return Failed(Kind::kOther, curl.error().message());
  return Transfer(*curl, request).Run(stop);
}

base::Result<void> CheckLibrary() {
  const auto& curl = LoadCurl();
  if (!curl) return base::Propagate(curl.error());
  return base::Ok();
}

}  // namespace kb::net
