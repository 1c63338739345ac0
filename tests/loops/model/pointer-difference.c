// expect: terminating
// ilp32: terminating
int main(void)
{
    long cells[9];
    long *low = cells + 1, *high = cells + 8;
    while (high - low != 7) {
    }
    while ((char *)high - (char *)low != 7 * (long)sizeof(long)) {
    }
    while (high > low) {
        *--high = 0;
    }
    return (int)cells[1];
}
