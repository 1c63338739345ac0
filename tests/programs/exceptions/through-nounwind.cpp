// expect: error kind=terminate
static void boom() { throw 1; }
__attribute__((nothrow)) static void quiet(void (*f)()) { f(); }
int main() { try { quiet(boom); } catch (int) {} }
