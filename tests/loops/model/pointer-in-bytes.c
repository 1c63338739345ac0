// expect: terminating
// ilp32: terminating
#include <string.h>

int main(void)
{
    int count = 10, *pointer = &count, *copy = 0;
    unsigned char bytes[sizeof pointer];
    memcpy(bytes, &pointer, sizeof pointer);
    for (unsigned i = 0; i < sizeof pointer; i++) {
        ((unsigned char *)&copy)[i] = bytes[i];
    }
    while (copy != pointer) {
    }
    *copy = 3;
    while (count != 3) {
    }
    return 0;
}
