// expect: error data-race
// A reader of an object that a writer replaces, and frees when every reader has left its section.
#include <assert.h>
#include <ck_epoch.h>
#include <pthread.h>
#include <stdlib.h>

struct box { int value; };
static struct box *current;
static ck_epoch_t epoch;

static void *reader(void *unused)
{
    ck_epoch_record_t record;
    ck_epoch_register(&epoch, &record, 0);
    ck_epoch_begin(&record, 0);
    struct box *box = ck_pr_load_ptr(&current);
    assert(box->value == 1 || box->value == 2);
    ck_epoch_end(&record, 0);
    ck_epoch_unregister(&record);
    return unused;
}

int main(void)
{
    static ck_epoch_record_t record;
    ck_epoch_init(&epoch);
    ck_epoch_register(&epoch, &record, 0);
    current = malloc(sizeof *current);
    current->value = 1;
    pthread_t other;
    pthread_create(&other, 0, reader, 0);
    struct box *old = current, *new = malloc(sizeof *new);
    new->value = 2;
    ck_pr_fence_store();
    ck_pr_store_ptr(&current, new);
    ck_epoch_synchronize(&record);
    free(old);
    pthread_join(other, 0);
    free(new);
}
