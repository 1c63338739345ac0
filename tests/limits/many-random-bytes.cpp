// flags: --nondet 0..255
// All values of a random device's numbers, time and again.
#include <random>

int main()
{
    std::random_device device;
    unsigned sum = 0;
    for (;;)
        sum += device();
}
