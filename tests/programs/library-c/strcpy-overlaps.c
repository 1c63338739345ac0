// expect: error kind=invalid-call message="strcpy between"
#include <stdio.h>
#include <string.h>
#include <wchar.h>
int main(void)
{
    char buffer[32] = "abcdef";
    strcpy(buffer, buffer + 1);
}
