// expect: error kind=uncaught-exception
#include <exception>
int main() { std::rethrow_exception(std::make_exception_ptr(1)); }
