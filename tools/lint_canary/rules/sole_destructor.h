// Fires sole_destructor: ~Handle() alone
#pragma once

class Handle {
 public:
  ~Handle();
};
