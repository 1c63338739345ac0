// expect: error kind=terminate
#include <thread>
int main() { std::thread t([] {}); }
