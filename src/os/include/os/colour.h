#pragma once

namespace kb::os {

// Whether text on the descriptor may have colours: it is a terminal, and
// neither NO_COLOR (https://no-color.org) nor TERM=dumb says otherwise.
bool HasColour(int fd);

}  // namespace kb::os
