// expect: verified
#include <assert.h>
#include <stdio.h>
#include <string.h>
int main(void)
{
    char buffer[32] = "abcdef";
    assert(snprintf(buffer + 10, 5, "%s%d", buffer, 7) == 7 && !strcmp(buffer + 10, "abcd"));
    assert(snprintf(buffer + 10, 5, "%d", 7) == 1 && !strcmp(buffer + 10, "7"));
    assert(snprintf(buffer + 10, 5, "%c%s%c", 'x', "yz", 'u') == 4 && !strcmp(buffer + 10, "xyzu"));
    assert(snprintf(buffer + 10, 5, "%s", "") == 0 && !buffer[10]);
    assert(snprintf(0, 0, "%s", buffer) == 6);
    assert(sprintf(buffer + 10, "%5d|%-3s|%.2f", 42, "a", 1.5) == 14);
    assert(!strcmp(buffer + 10, "   42|a  |1.50"));
}
