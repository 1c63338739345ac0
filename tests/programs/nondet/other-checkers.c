// expect: verified
#include <assert.h>
#include <genmc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/divm.h>

static atomic_int flag;
static int chosen;

static void *writer(void *unused)
{
	chosen = __vm_choose(3);
	flag = 1;
	return unused;
}

int main(void)
{
	pthread_t id;
	pthread_create(&id, 0, writer, 0);
	__VERIFIER_loop_begin();
	__VERIFIER_spin_start();
	while (!flag)
		;
	__VERIFIER_spin_end();
	__VERIFIER_assume(chosen != 1);
	assert(chosen == 0 || chosen == 2);
	pthread_join(id, 0);
}
