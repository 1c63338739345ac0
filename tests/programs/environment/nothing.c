// expect: verified
// The program asks for nothing that it has not made itself, though the library looks for a
// terminal.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *print(void *text)
{
    puts(text);
    return 0;
}

int main(int unused, char **unused_too)
{
    pthread_t thread;
    pthread_create(&thread, 0, print, "hello");
    pthread_join(thread, 0);
    assert(!setenv("MODE", "fast", 1));
    assert(getenv("MODE"));
    FILE *out = fopen("out", "w");
    assert(out && fputs("text", out) >= 0 && !fclose(out));
    FILE *in = fopen("out", "r");
    assert(in && getc(in) == 't' && !fclose(in));
    return 0;
}
