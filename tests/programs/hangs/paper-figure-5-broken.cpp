// expect: error kind=hang line=13 message="can never unlock"
// The two sections of figure 5 of Still and Barnat (2019), the inner of which never ends.
#include <mutex>

std::mutex m1, m2;
volatile int first, second;

int main() {
    m1.lock();
    first = 1;
    m2.lock();
    second = first;
    while (second == first) {
    }
    m1.unlock();
    first = second;
    m2.unlock();
}
