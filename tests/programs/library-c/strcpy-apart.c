// expect: verified
#include <stdio.h>
#include <string.h>
#include <wchar.h>
int main(void)
{
    char buffer[32] = "abcdef";
    strcpy(buffer + 7, buffer);
    strcpy(buffer, buffer + 14);
    return strcmp(buffer + 7, "abcdef");
}
