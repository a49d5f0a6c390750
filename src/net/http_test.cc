// Against a server of one answer on 127.0.0.1; the faults of whole providers
// are in src/llm/fault_test.cc.

#include "net/http.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>

namespace kb::net {
namespace {

using namespace std::chrono_literals;
using Kind = Failure::Kind;

// Accepts one connection, reads up to `end`, which is a request's head, writes
// `answer` and closes; or, when it is empty, says nothing until the other end
// closes.
class OneAnswer {
 public:
  explicit OneAnswer(std::string answer, std::string end = "\r\n\r\n")
      : end_(std::move(end)),
        socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    ::setenv("no_proxy", "127.0.0.1", 1);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = ::htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    auto* plain = reinterpret_cast<sockaddr*>(&address);
    EXPECT_EQ(::bind(socket_, plain, size), 0);
    EXPECT_EQ(::listen(socket_, 1), 0);
    EXPECT_EQ(::getsockname(socket_, plain, &size), 0);
    port_ = ::ntohs(address.sin_port);
    thread_ = std::jthread([this, text = std::move(answer)] { Serve(text); });
  }
  OneAnswer(const OneAnswer&) = delete;
  OneAnswer& operator=(const OneAnswer&) = delete;
  ~OneAnswer() {
    ::shutdown(socket_, SHUT_RDWR);
    thread_.join();
    ::close(socket_);
  }

  Request RequestTo() const {
    Request request;
    request.url = fmt::format("http://127.0.0.1:{}/path", port_);
    request.idle_timeout = 5s;
    return request;
  }
  // After the request was answered.
  const std::string& Seen() {
    if (thread_.joinable()) thread_.join();
    thread_ = std::jthread([] {});
    return seen_;
  }

 private:
  void Serve(const std::string& answer) {
    const int client = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
    if (client < 0) return;
    std::string buffer(65536, '\0');
    ssize_t count = 0;
    do {
      count = ::read(client, buffer.data(), buffer.size());
      if (count > 0) seen_.append(buffer, 0, static_cast<size_t>(count));
    } while (count > 0 && (answer.empty() || !seen_.ends_with(end_)));
    static_cast<void>(
        ::send(client, answer.data(), answer.size(), MSG_NOSIGNAL));
    ::close(client);
  }

  const std::string end_;
  int socket_;
  int port_ = 0;
  std::string seen_;
  std::jthread thread_;
};

TEST(Http, AnswerHasStatusHeadersAndBody) {
  OneAnswer server(
      "HTTP/1.1 100 Continue\r\nX-Early: 1\r\n\r\n"
      "HTTP/1.1 404 Not Found\r\nX-Some: a b \r\nContent-Length: "
      "4\r\n\r\nbody");
  Request request = server.RequestTo();
  request.headers = {{"X-Mine", "yes"}};
  const auto response = Send(request, {});
  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(response->status, 404);
  EXPECT_EQ(response->Header("x-some"), "a b");
  EXPECT_EQ(response->Header("x-early"), "");
  EXPECT_EQ(response->body, "body");
  EXPECT_TRUE(server.Seen().starts_with("GET /path HTTP/1.1\r\n"));
  EXPECT_NE(server.Seen().find("X-Mine: yes\r\n"), std::string::npos);
}

TEST(Http, ReaderMayEndTheTransfer) {
  OneAnswer server("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nfirst");
  Request request = server.RequestTo();
  std::string seen;
  request.on_data = [&](const Response& so_far, std::string_view piece) {
    EXPECT_EQ(so_far.status, 200);
    seen += piece;
    return seen.size() < 5 ? Take::kDrop : Take::kEnd;
  };
  const auto response = Send(request, {});
  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(seen, "first");
  EXPECT_EQ(response->body, "");
}

Kind KindOf(const std::string& answer, uint64_t max_bytes = 1000) {
  OneAnswer server(answer);
  Request request = server.RequestTo();
  request.idle_timeout = 200ms;
  request.max_body_bytes = max_bytes;
  const auto response = Send(request, {});
  return response ? Kind::kOther : response.error().kind;
}

TEST(Http, FailuresAreToldApart) {
  EXPECT_EQ(KindOf("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\ncut"),
            Kind::kReset);
  EXPECT_EQ(KindOf("HTTP/1.1 200 OK\r\n\r\n0123456789", 9), Kind::kTooLarge);
  EXPECT_EQ(KindOf("HTTP/1.1 302 Found\r\nLocation: http://x.test/\r\n"
                   "Content-Length: 0\r\n\r\n"),
            Kind::kRedirect);
  EXPECT_EQ(KindOf(""), Kind::kTimeout);
  EXPECT_EQ(KindOf(std::string("HTTP/1.1 200 OK\r\nX-Long: ") +
                   std::string(400000, 'x') + "\r\nContent-Length: 0\r\n\r\n"),
            Kind::kReset);
  Request nowhere;
  nowhere.url = "http://127.0.0.1:1/";
  EXPECT_EQ(Send(nowhere, {}).error().kind, Kind::kConnect);
}

TEST(Http, OtherProtocolsAndHeaderTricksAreRefused) {
  Request request;
  request.url = "file:///etc/hostname";
  EXPECT_EQ(Send(request, {}).error().kind, Kind::kOther);
  request.url = "http://127.0.0.1:1/";
  request.headers = {{"A", "b\r\nC: d"}};
  EXPECT_EQ(Send(request, {}).error().kind, Kind::kOther);
}

TEST(Http, MessagesDoNotShowPasswordsOfAddresses) {
  Request request;
  request.url = "http://user:hidden@127.0.0.1:1/path?key=hidden";
  const auto response = Send(request, {});
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().message.find("hidden"), std::string::npos)
      << response.error().message;
}

TEST(Http, CertificateOfNobodyIsRefused) {
  OneAnswer server("this is not TLS");
  Request request = server.RequestTo();
  request.url.replace(0, 4, "https");
  request.idle_timeout = 500ms;
  EXPECT_FALSE(Send(request, {}));
}

TEST(Http, HandshakeThatBreaksOffIsAReset) {
  OneAnswer server("this is not TLS", "");
  Request request = server.RequestTo();
  request.url.replace(0, 4, "https");
  const auto response = Send(request, {});
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().kind, Kind::kReset) << response.error().message;
}

TEST(Http, StopEndsASilentRequest) {
  OneAnswer server("");
  Request request = server.RequestTo();
  request.idle_timeout = 1h;
  std::stop_source source;
  std::jthread stopper([&] {
    std::this_thread::sleep_for(100ms);
    source.request_stop();
  });
  EXPECT_EQ(Send(request, source.get_token()).error().kind, Kind::kCancelled);
}

}  // namespace
}  // namespace kb::net
