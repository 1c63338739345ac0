// expect: inconclusive reason="odd-second.c:9 depends on the time"
// clocks: error kind=abort
#include <assert.h>
#include <time.h>
#include <stdlib.h>

int main(void)
{
	switch (time(0) % 3) {
	case 2: abort();
	}
}
