/* Loading shared objects: there are none but the program itself. */
#include <dlfcn.h>
#include "impasse_machine.h"

static char program;
static _Thread_local int has_failed;

void *dlopen(const char *file, int mode)
{
	(void)mode;
	if (!file)
		return &program;
	__impasse_asks("dlopen(\"%s\") finds no shared object", file);
	has_failed = 1;
	return 0;
}

int dlclose(void *handle)
{
	(void)handle;
	return 0;
}

char *dlerror(void)
{
	char *message = has_failed ? "cannot open shared object file: No such file or directory" : 0;
	has_failed = 0;
	return message;
}

void *dlsym(void *restrict handle, const char *restrict name)
{
	(void)handle, (void)name;
	__impasse_unsupported("the function dlsym");
	return 0;
}
