// Fires nothing: what our style looks like.
#include <memory>
#include <utility>

namespace kb::canary {

constexpr int kAnswer = 42;

enum class Color { kRed, kGreen };

class Shape {
 public:
  virtual ~Shape() = default;
  virtual int Corners() const = 0;
};

class Square : public Shape {
 public:
  explicit Square(int side) : side_(side) {}
  int Corners() const override { return 4; }
  int side() const { return side_; }

 private:
  int side_;
};

std::unique_ptr<Shape> MakeShape(int side_of_square) {
  auto square = std::make_unique<Square>(side_of_square + kAnswer);
  return std::exchange(square, nullptr);
}

}  // namespace kb::canary
