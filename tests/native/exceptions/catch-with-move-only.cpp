#include <cstdio>
#include <memory>
struct E { std::unique_ptr<int> p; };
int main() { try { throw E{std::make_unique<int>(3)}; } catch (E &e) { printf("%d\n", *e.p); } }
