// expect: verified
#include <stdio.h>
#include <string.h>
#include <wchar.h>
int main(void)
{
    char buffer[32] = "abcdef";
    strncpy(buffer + 3, buffer, 3);
    return memcmp(buffer, "abcabc", 7);
}
