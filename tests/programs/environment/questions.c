// expect: verified
// environment: 18 main gets no arguments (--arg gives some); 20 getenv("HOME") returns null; 21 the
//     file "settings" does not exist; 22 standard input is empty; 23 isatty() finds no terminal; 24
//     getpid() returns 100; 25 there are 2 processors; 26 rand() returns the numbers of one
//     generator; 28 uname() returns Linux 6.1.0 of the machine "impasse"; 29 the current folder is
//     "/"; 30 getrlimit() returns no limit, but for 64 open files
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
