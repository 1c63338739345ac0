// A number is thrown in the tenth frame and caught in the first, THROWS times.

#ifndef THROWS
#define THROWS 1
#endif

static int descend(int frames)
{
    if (frames == 0)
        throw 1;
    return descend(frames - 1) + 1;
}

int main()
{
    int caught = 0;
    for (int i = 0; i < THROWS; i++) {
        try {
            descend(10);
        } catch (int one) {
            caught += one;
        }
    }
    return caught != THROWS;
}
