// Threads give blocks to inodes. From 14 threads on some of them want the same block (C. Flanagan,
// P. Godefroid, Dynamic Partial-Order Reduction for Model Checking Software, POPL 2005).
#include <pthread.h>

#ifndef N
#define N 14
#endif
#define BLOCKS 26
#define INODES 32

static pthread_mutex_t inode_mutex[INODES], block_mutex[BLOCKS];
static int inode[INODES], busy[BLOCKS];

static void allocate(int i)
{
	for (int block = i * 2 % BLOCKS; !inode[i]; block = (block + 1) % BLOCKS) {
		pthread_mutex_lock(&block_mutex[block]);
		if (!busy[block]) {
			busy[block] = 1;
			inode[i] = block + 1;
		}
		pthread_mutex_unlock(&block_mutex[block]);
	}
}

static void *create(void *given)
{
	int i = (int)(long)given % INODES;
	pthread_mutex_lock(&inode_mutex[i]);
	allocate(i);
	pthread_mutex_unlock(&inode_mutex[i]);
	return 0;
}

int main(void)
{
	pthread_t id[N];
	for (int i = 0; i < INODES; i++)
		pthread_mutex_init(&inode_mutex[i], 0);
	for (int i = 0; i < BLOCKS; i++)
		pthread_mutex_init(&block_mutex[i], 0);
	for (long i = 0; i < N; i++)
		pthread_create(&id[i], 0, create, (void *)i);
	for (int i = 0; i < N; i++)
		pthread_join(id[i], 0);
}
