// expect: error kind=uncaught-exception
// flags: --malloc-fail
#include <memory>
int main() { auto p = std::make_unique<int>(1); }
