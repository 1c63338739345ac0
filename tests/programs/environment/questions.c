// expect: verified
// environment: 14 main gets no arguments (--arg gives some); 16 getenv("HOME") returns null; 17 the file "settings" does not exist; 18 standard input is empty; 19 isatty() finds no terminal; 20 getpid() returns 100; 21 there are 2 processors; 22 rand() returns the numbers of one generator; 24 uname() returns Linux 6.1.0 of the machine "impasse"; 25 the current folder is "/"; 26 getrlimit() returns no limit, but for 64 open files
// Each answer of the environment that could be another one is named where the program asks for it.
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

static char folder[64];

int main(int count, char **arguments)
{
    assert(!getenv("HOME"));
    assert(open("settings", O_RDONLY) == -1);
    assert(getchar() == EOF);
    assert(!isatty(0));
    assert(getpid() != 1);
    assert(sysconf(_SC_NPROCESSORS_ONLN) == 2);
    assert(rand() >= 0);
    struct utsname name;
    assert(!uname(&name));
    assert(getcwd(folder, sizeof folder));
    assert(!getrlimit(RLIMIT_NOFILE, &(struct rlimit){0, 0}));
    return count - 1;
}
