/* The variables of the environment. */
#include <stdlib.h>
#include <string.h>
#include "impasse_machine.h"

extern char **__environ;

char *getenv(const char *name)
{
	size_t length = strcspn(name, "=");
	if (!length || name[length])
		return 0;
	for (char **entry = __environ; entry && *entry; entry++)
		if (!strncmp(*entry, name, length) && (*entry)[length] == '=')
			return *entry + length + 1;
	__impasse_asks("getenv(\"%s\") returns null", name);
	return 0;
}
