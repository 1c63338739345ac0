#include <cstdio>
#include <stdexcept>
static int f(int n) { if (n == 0) throw std::runtime_error("deep"); return f(n - 1) + 1; }
int main() { try { f(10); } catch (std::exception &e) { puts(e.what()); } }
