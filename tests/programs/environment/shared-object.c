// expect: verified
// broken: inconclusive reason="dlsym" line=15
// environment: 12 dlopen("libplugin.so") finds no shared object
// The program itself can be opened, and no other shared object is there.
#include <assert.h>
#include <dlfcn.h>

int main(void)
{
	void *program = dlopen(0, RTLD_LAZY);
	assert(program && !dlerror());
	assert(!dlopen("libplugin.so", RTLD_NOW));
	assert(dlerror() && !dlerror());
#ifdef BROKEN
	dlsym(program, "main");
#endif
	assert(!dlclose(program));
	return 0;
}
