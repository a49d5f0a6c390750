// Fires performance-noexcept-move-constructor: should be marked noexcept
struct Buffer {
  Buffer(Buffer&& other);
  Buffer& operator=(Buffer&& other);
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer();
};
