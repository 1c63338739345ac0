// expect: error kind=invalid-call message="sprintf between"
#include <stdio.h>
#include <string.h>
#include <wchar.h>
int main(void)
{
    char buffer[32] = "abcdef";
    sprintf(buffer, "%sdef", buffer);
}
