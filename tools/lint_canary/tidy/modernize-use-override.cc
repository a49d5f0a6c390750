// Fires modernize-use-override: prefer using
struct Device {
  virtual ~Device() = default;
  virtual void Synchronize();
};
struct Cpu : Device {
  virtual void Synchronize();
};
