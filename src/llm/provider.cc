#include "llm/provider.h"

#include "key.h"
#include "local.h"
#include "net/http.h"
#include "remote.h"

namespace kb::llm {
namespace {

std::unique_ptr<Dialect> MakeDialect(ProviderKind kind) {
  if (kind == ProviderKind::kAnthropic) return MakeAnthropic();
  if (kind == ProviderKind::kGemini) return MakeGemini();
  return MakeOpenAi();
}

}  // namespace

const char* RoleName(Message::Role role) {
  return role == Message::Role::kUser ? "user" : "assistant";
}

std::vector<Message> MessagesOf(const Question& question) {
  std::vector<Message> messages = question.history;
  messages.push_back({Message::Role::kUser, question.user});
  return messages;
}

base::Result<std::unique_ptr<Provider>> MakeProvider(const Model& model,
                                                     Recorded recorded) {
  if (model.provider == ProviderKind::kCommand) return MakeCommand(model);
  if (model.provider == ProviderKind::kReplay)
    return MakeReplay(model, std::move(recorded));
  KB_TRY(net::CheckLibrary());
  KB_ASSIGN(Key key, Key::Read(model));
  return MakeRemote(model, std::move(key), MakeDialect(model.provider));
}

}  // namespace kb::llm
