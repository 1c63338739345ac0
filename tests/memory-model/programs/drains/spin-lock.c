// expect: verified
// flags: --memory-model tso
// sequential: verified
// Locking a spin lock is a locked instruction.
#define DECLARES static pthread_spinlock_t locks[2];
#define SETUP(n) pthread_spin_init(&locks[n], 0)
#define BEFORE(n) (void)0
#define CALL(n) pthread_spin_lock(&locks[n])
#define AFTER(n) pthread_spin_unlock(&locks[n])
#include "spin-unlock.c"
