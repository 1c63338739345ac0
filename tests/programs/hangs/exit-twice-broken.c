// expect: error kind=hang line=12|20
// What runs at exit joins a thread that calls exit itself, and so waits for the end of the program.
#define JOINS
#include "exit-twice.c"
