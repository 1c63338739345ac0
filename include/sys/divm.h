/* What programs written for the checker DIVINE find under this name, as far as it has a counterpart here: choices. */
#ifndef IMPASSE_SYS_DIVM_H
#define IMPASSE_SYS_DIVM_H

#include <impasse.h>

/* Any of 0, 1, ..., count-1; weights, which may follow, do not matter to a search through all of them. */
#define __vm_choose(count, ...) impasse_choose(count)

#endif
