// expect: inconclusive reason="cancellation" line=6
#include <pthread.h>

int main(void)
{
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0);
	return 0;
}
