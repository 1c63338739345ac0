// expect: error kind=invalid-call message="strncpy between"
#include <stdio.h>
#include <string.h>
#include <wchar.h>
int main(void)
{
    char buffer[32] = "abcdef";
    strncpy(buffer + 10, buffer + 16, 8);
}
