// expect: inconclusive
// A thread puts an item into a queue for several readers and writers, and another takes it out.
#include <assert.h>
#include <ck_fifo.h>
#include <pthread.h>
#include <stdbool.h>

static ck_fifo_mpmc_t queue;
static ck_fifo_mpmc_entry_t first, entry;
static int item;

static void *put(void *unused)
{
    ck_fifo_mpmc_enqueue(&queue, &entry, &item);
    return unused;
}

int main(void)
{
    ck_fifo_mpmc_init(&queue, &first);
    pthread_t other;
    pthread_create(&other, 0, put, 0);
    void *got;
    ck_fifo_mpmc_entry_t *garbage;
    while (!ck_fifo_mpmc_dequeue(&queue, &got, &garbage))
        ck_pr_stall();
    assert(got == &item && garbage == &first);
    pthread_join(other, 0);
}
