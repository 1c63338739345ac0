// expect: verified
// Figure 5 of Still and Barnat (2019): two critical sections in a sequential program.
#include <mutex>

std::mutex m1, m2;
volatile int first, second;

int main() {
    m1.lock();
    first = 1;
    m2.lock();
    second = first;
    m1.unlock();
    first = second;
    m2.unlock();
}
