// Fires pragma_once: a header begins with #pragma once
int F();
