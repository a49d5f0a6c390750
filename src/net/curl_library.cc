#include "curl_library.h"

#include <dlfcn.h>

namespace kb::net {
namespace {

using base::Fail;
using base::Ok;
using base::Result;

template <typename F>
Result<void> Find(void* library, const char* name, F* function) {
  *function = reinterpret_cast<F>(::dlsym(library, name));
  if (*function == nullptr)
    return Fail("libcurl is too old: it has no {}; 7.68 or newer is needed",
                name);
  return Ok();
}

Result<Curl> Load() {
  void* library = ::dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    return Fail(
        "asking over the network needs libcurl, which cannot be loaded ({}); "
        "install the package libcurl4",
        ::dlerror());
  Curl curl;
  KB_TRY(Find(library, "curl_global_init", &curl.global_init));
  KB_TRY(Find(library, "curl_easy_init", &curl.easy_init));
  KB_TRY(Find(library, "curl_easy_setopt", &curl.easy_setopt));
  KB_TRY(Find(library, "curl_easy_getinfo", &curl.easy_getinfo));
  KB_TRY(Find(library, "curl_easy_cleanup", &curl.easy_cleanup));
  KB_TRY(Find(library, "curl_easy_strerror", &curl.easy_strerror));
  KB_TRY(Find(library, "curl_slist_append", &curl.slist_append));
  KB_TRY(Find(library, "curl_slist_free_all", &curl.slist_free_all));
  KB_TRY(Find(library, "curl_multi_init", &curl.multi_init));
  KB_TRY(Find(library, "curl_multi_add_handle", &curl.multi_add_handle));
  KB_TRY(Find(library, "curl_multi_remove_handle", &curl.multi_remove_handle));
  KB_TRY(Find(library, "curl_multi_perform", &curl.multi_perform));
  KB_TRY(Find(library, "curl_multi_poll", &curl.multi_poll));
  KB_TRY(Find(library, "curl_multi_wakeup", &curl.multi_wakeup));
  KB_TRY(Find(library, "curl_multi_info_read", &curl.multi_info_read));
  KB_TRY(Find(library, "curl_multi_cleanup", &curl.multi_cleanup));
  if (curl.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
    return Fail("libcurl cannot be initialised");
  return curl;
}

}  // namespace

const Result<Curl>& LoadCurl() {
  static const Result<Curl> kLoaded = Load();
  return kLoaded;
}

}  // namespace kb::net
