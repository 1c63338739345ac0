// expect: error kind=assertion
#include <cassert>
int main() { try { throw 1; } catch (int i) { assert(i == 2); } }
