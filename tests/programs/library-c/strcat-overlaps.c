// expect: error kind=invalid-call message="strcat between"
#include <stdio.h>
#include <string.h>
#include <wchar.h>
int main(void)
{
    char buffer[32] = "abcdef";
    strcat(buffer, buffer + 3);
}
