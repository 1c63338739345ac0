/* Another name of unistd.h, as with glibc. */
#include <unistd.h>
