/* The names of temporary files. No clock and no chance makes them up, so that nothing depends on
 * which time it is: a name is the first one that no file has. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "syscall.h"
#include "impasse_machine.h"

enum { LETTERS = 6, RETRIES = 100 };

/* musl calls this with "XXXXXX", and again on what it left there if a file has that name. */
char *__randname(char *template)
{
	if (!memcmp(template, "XXXXXX", LETTERS))
		return memset(template, 'A', LETTERS);
	int i = LETTERS - 1;
	while (i && template[i] == 'Z')
		template[i--] = 'A';
	template[i]++;
	return template;
}

/* Each call returns another name, whether or not the program makes a file of it. */
char *tmpnam(char *buffer)
{
	static char internal[L_tmpnam];
	static _Atomic(unsigned) calls;
	for (int retry = 0; retry < RETRIES; retry++) {
		char name[] = "/tmp/tmpnam_AAAAAA", unused;
		unsigned rest = calls++;
		for (char *letter = name + sizeof name - 2; rest; rest /= 26)
			*letter-- += rest % 26;
		if (__syscall(SYS_readlink, name, &unused, 1) == -ENOENT)
			return strcpy(buffer ? buffer : internal, name);
	}
	return 0;
}
