// Fires bugprone-branch-clone: if with identical then and else branches
int F(int x);
int G(int x) {
  if (x > 1) {
    return F(x);
  } else {
    return F(x);
  }
}
