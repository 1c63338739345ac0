// expect: error kind=invalid-call message="strncat between"
#include <stdio.h>
#include <string.h>
#include <wchar.h>
int main(void)
{
    char buffer[32] = "abcdef";
    strncat(buffer, buffer + 3, 5);
}
