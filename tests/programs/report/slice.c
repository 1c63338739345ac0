// expect: error kind=assertion line=86
// A trace marks the steps on which the error does not depend. crates/cli/tests/slice.rs compares
// them with the comments: "minor" and "stays". With -DOTHER, what the minor steps read is different,
// and nothing else may be.
#include <assert.h>
#include <pthread.h>
#include <string.h>

#ifdef OTHER
#define V(value) ((value) ^ 5)
#else
#define V(value) (value)
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int input = 1, limit = 3, seen, largest, log[8], copy, divisor = 2, place = 1, flag, sum;
static int through, kept = 1, last;
static char text[4];

static int read_input(void)
{
    return input; // minor
}

static void note(int value)
{
    log[2] = value; // minor
}

static void *work(void *argument)
{
    // Through a local variable, a call and a return.
    int now = V(read_input());
    log[0] = now + 1; // minor
    int twice = 2 * now;
    note(twice);

    // Through a branch that decides only what is stored.
    int most = V(limit); // minor
    if (most > 1)
        largest = most; // minor
    else
        largest = 1;
    int either = most == 2 ? 7 : 9;
    seen = either; // minor

    // Into memory that another minor step reads.
    copy = V(input);     // minor
    log[3] = V(copy);    // minor

    // A branch that decides a store that matters, though it is not executed.
    if (limit == 4) // stays
        flag = 1;

    // A divisor, an index, and a bound of a loop.
    log[4] = 6 / divisor; // stays
    log[place] = 1; // stays
    int rounds = kept; // stays
    for (int n = 0; n < rounds; n++)
        last = n; // minor

    // What is stored is read again for a branch.
    through = input; // stays
    if (through == 7) // stays
        pthread_exit(0);

    // What a library reads.
    text[0] = 'a'; // stays
    if (strlen(text) == 3)
        return argument;

    pthread_mutex_lock(&mutex);
    sum++; // stays
    pthread_mutex_unlock(&mutex);
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    int result = flag;
    pthread_mutex_lock(&mutex);
    int found = sum; // stays
    assert(found == result);
    pthread_mutex_unlock(&mutex);
    return 0;
}
