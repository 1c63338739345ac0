// expect: terminating
// ilp32: terminating
#include <stdlib.h>
#include <string.h>

int main(void)
{
    const char *words[] = {"one", "three", "seven", 0};
    char **copies = malloc(sizeof words);
    int count = 0;
    for (; words[count]; count++) {
        copies[count] = malloc(strlen(words[count]) + 1);
        strcpy(copies[count], words[count]);
    }
    copies[count] = 0;
    int letters = 0;
    for (char **at = copies; *at; at++) {
        letters += (int)strlen(*at);
    }
    while (letters != 13) {
    }
    return 0;
}
