#include "cuda/cuda_memory.h"

#include <fcntl.h>

#include <cstdint>
#include <limits>
#include <utility>

namespace kb::device::cuda {

namespace {

CUmemAllocationProp Properties(CUdevice device) {
  CUmemAllocationProp properties{};
  properties.type = kMemAllocationTypePinned;
  properties.requested_handle_types = kMemHandleTypePosixFileDescriptor;
  properties.location = {kMemLocationTypeDevice, device};
  return properties;
}

// What both sides round `bytes` up to; at least one granule.
base::Result<size_t> MappedBytes(const PrimaryContext& context, size_t bytes) {
  const CUmemAllocationProp properties = Properties(context.device());
  size_t granularity = 0;
  KB_TRY(context.driver().mem_granularity(&granularity, &properties,
                                          kMemGranularityMinimum));
  if (granularity == 0 ||
      bytes > std::numeric_limits<size_t>::max() - granularity)
    return base::Fail("cannot allocate {} bytes of device memory", bytes);
  const size_t granules = (bytes + granularity - 1) / granularity;
  return (granules == 0 ? 1 : granules) * granularity;
}

// Owner of physical device memory, or of a reference to it.
class Physical {
 public:
  Physical(ContextPtr context, CUmemGenericAllocationHandle handle)
      : context_(std::move(context)), handle_(handle) {}
  Physical(Physical&&) noexcept = default;
  Physical(const Physical&) = delete;
  Physical& operator=(const Physical&) = delete;
  Physical& operator=(Physical&&) = delete;
  ~Physical() {
    if (context_) context_->driver().mem_release.Status(handle_);
  }
  CUmemGenericAllocationHandle handle() const { return handle_; }

 private:
  ContextPtr context_;  // null after a move
  CUmemGenericAllocationHandle handle_;
};

// Owner of a range of device addresses.
class AddressRange {
 public:
  static base::Result<AddressRange> Reserve(ContextPtr context, size_t bytes) {
    CUdeviceptr address = 0;
    KB_TRY(context->driver().address_reserve(&address, bytes, 0, 0, 0));
    return AddressRange(std::move(context), address, bytes);
  }
  AddressRange(AddressRange&&) noexcept = default;
  AddressRange(const AddressRange&) = delete;
  AddressRange& operator=(const AddressRange&) = delete;
  AddressRange& operator=(AddressRange&&) = delete;
  ~AddressRange() {
    if (context_) context_->driver().address_free.Status(address_, bytes_);
  }
  CUdeviceptr address() const { return address_; }
  size_t bytes() const { return bytes_; }

 private:
  AddressRange(ContextPtr context, CUdeviceptr address, size_t bytes)
      : context_(std::move(context)), address_(address), bytes_(bytes) {}
  ContextPtr context_;  // null after a move
  CUdeviceptr address_;
  size_t bytes_;
};

// Physical memory at a range of addresses, accessible by this device. Unmapped
// before the range is given back, because `range_` is a member.
class MappedRange {
 public:
  static base::Result<MappedRange> Map(const ContextPtr& context, size_t bytes,
                                       const Physical& physical) {
    KB_ASSIGN(auto range, AddressRange::Reserve(context, bytes));
    KB_TRY(context->driver().mem_map(range.address(), bytes, 0,
                                     physical.handle(), 0));
    MappedRange mapped(context, std::move(range));
    const CUmemAccessDesc access{{kMemLocationTypeDevice, context->device()},
                                 kMemAccessReadWrite};
    KB_TRY(
        context->driver().mem_set_access(mapped.address(), bytes, &access, 1));
    return mapped;
  }
  MappedRange(MappedRange&&) noexcept = default;
  MappedRange(const MappedRange&) = delete;
  MappedRange& operator=(const MappedRange&) = delete;
  MappedRange& operator=(MappedRange&&) = delete;
  ~MappedRange() {
    if (context_)
      context_->driver().mem_unmap.Status(range_.address(), range_.bytes());
  }
  CUdeviceptr address() const { return range_.address(); }

 private:
  MappedRange(ContextPtr context, AddressRange range)
      : context_(std::move(context)), range_(std::move(range)) {}
  ContextPtr context_;  // null after a move
  AddressRange range_;
};

class VmmMemory : public SharedMemory {
 public:
  VmmMemory(os::Fd fd, Physical physical, MappedRange mapped, size_t bytes)
      : fd_(std::move(fd)),
        physical_(std::move(physical)),
        mapped_(std::move(mapped)),
        bytes_(bytes) {}
  std::byte* data() const override {
    return reinterpret_cast<std::byte*>(mapped_.address());
  }
  size_t size() const override { return bytes_; }
  int fd() const override { return fd_.get(); }

 private:
  os::Fd fd_;
  Physical physical_;
  MappedRange mapped_;
  size_t bytes_;
};

base::Result<os::Fd> Export(const Driver& driver, const Physical& physical) {
  int number = -1;
  KB_TRY(driver.mem_export(&number, physical.handle(),
                           kMemHandleTypePosixFileDescriptor, 0));
  os::Fd fd(number);
  // Handed over on purpose only, never by an exec.
  if (fcntl(fd.get(), F_SETFD, FD_CLOEXEC) != 0)
    return os::FailErrno("setting close-on-exec on exported device memory");
  return fd;
}

}  // namespace

base::Result<std::unique_ptr<SharedMemory>> AllocateVmm(
    const ContextPtr& context, size_t bytes) {
  KB_ASSIGN(const size_t mapped_bytes, MappedBytes(*context, bytes));
  const Driver& driver = context->driver();
  const CUmemAllocationProp properties = Properties(context->device());
  CUmemGenericAllocationHandle handle = 0;
  KB_TRY(driver.mem_create(&handle, mapped_bytes, &properties, 0));
  Physical physical(context, handle);
  KB_ASSIGN(os::Fd fd, Export(driver, physical));
  KB_ASSIGN(auto mapped, MappedRange::Map(context, mapped_bytes, physical));
  return std::make_unique<VmmMemory>(std::move(fd), std::move(physical),
                                     std::move(mapped), bytes);
}

base::Result<std::unique_ptr<SharedMemory>> ImportVmm(const ContextPtr& context,
                                                      os::Fd fd, size_t bytes) {
  KB_ASSIGN(const size_t mapped_bytes, MappedBytes(*context, bytes));
  // The driver wants the number of the descriptor in the place of a pointer,
  // and keeps no reference to it.
  void* number = reinterpret_cast<void*>(static_cast<intptr_t>(fd.get()));
  CUmemGenericAllocationHandle handle = 0;
  KB_TRY(context->driver().mem_import(&handle, number,
                                      kMemHandleTypePosixFileDescriptor));
  Physical physical(context, handle);
  KB_ASSIGN(auto mapped, MappedRange::Map(context, mapped_bytes, physical));
  return std::make_unique<VmmMemory>(std::move(fd), std::move(physical),
                                     std::move(mapped), bytes);
}

base::Result<DeviceBuffer> DeviceBuffer::Allocate(ContextPtr context,
                                                  size_t bytes) {
  CUdeviceptr address = 0;
  KB_TRY(context->driver().mem_alloc(&address, bytes));
  return DeviceBuffer(std::move(context), address, bytes);
}

DeviceBuffer::DeviceBuffer(ContextPtr context, CUdeviceptr address,
                           size_t bytes)
    : context_(std::move(context)), address_(address), bytes_(bytes) {}

DeviceBuffer::DeviceBuffer(DeviceBuffer&& other) noexcept
    : context_(std::move(other.context_)),
      address_(std::exchange(other.address_, 0)),
      bytes_(std::exchange(other.bytes_, 0)) {}

DeviceBuffer& DeviceBuffer::operator=(DeviceBuffer&& other) noexcept {
  std::swap(context_, other.context_);
  std::swap(address_, other.address_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

DeviceBuffer::~DeviceBuffer() {
  if (address_ != 0) context_->driver().mem_free.Status(address_);
}

}  // namespace kb::device::cuda
