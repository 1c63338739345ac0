// expect: error kind=uncaught-exception
#include <cstdlib>
#include <exception>
int main() { std::set_terminate([] { abort(); }); throw 1; }
