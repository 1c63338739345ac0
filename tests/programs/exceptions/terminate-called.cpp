// expect: error kind=terminate
#include <exception>
int main() { std::terminate(); }
