// expect: verified
#include <string>
#include <stdexcept>
int main() { for (int i = 0; i < 3; i++) try { throw std::runtime_error(std::string(100, 'x')); } catch (std::exception &e) {} }
