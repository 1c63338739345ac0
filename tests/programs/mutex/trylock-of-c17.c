// expect: error kind=assertion
// mtx_trylock may.
#include <assert.h>
#include <threads.h>

int main(void) {
	mtx_t mutex;
	mtx_init(&mutex, mtx_plain);
	int result = mtx_trylock(&mutex);
	if (result == thrd_success)
		mtx_unlock(&mutex);
	mtx_destroy(&mutex);
	assert(result == thrd_success);
}
