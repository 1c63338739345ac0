// expect: verified
// A producer and a consumer share a ring for one of each.
#include <assert.h>
#include <ck_ring.h>
#include <pthread.h>

static ck_ring_t ring;
static ck_ring_buffer_t slots[4];
static int items[3];

static void *produce(void *unused)
{
    for (int i = 0; i < 3; i++)
        while (!ck_ring_enqueue_spsc(&ring, slots, &items[i]))
            ck_pr_stall();
    return unused;
}

int main(void)
{
    ck_ring_init(&ring, 4);
    pthread_t producer;
    pthread_create(&producer, 0, produce, 0);
    for (int i = 0; i < 3; i++) {
        void *got;
        while (!ck_ring_dequeue_spsc(&ring, slots, &got))
            ck_pr_stall();
        assert(got == &items[i]);
    }
    pthread_join(producer, 0);
}
