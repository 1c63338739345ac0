// expect: verified
// broken: error kind=hang line=16 message="can never unlock"
// Figure 5 of Still and Barnat (2019): two critical sections in a sequential program. With
// -DBROKEN: The two sections of figure 5 of Still and Barnat (2019), the inner of which never ends.
#include <mutex>

std::mutex m1, m2;
volatile int first, second;

int main() {
    m1.lock();
    first = 1;
    m2.lock();
    second = first;
#ifdef BROKEN
    while (second == first) {
    }
#endif
    m1.unlock();
    first = second;
    m2.unlock();
}
