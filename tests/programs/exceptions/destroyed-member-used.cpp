// expect: error kind=use-after-free
struct Buffer { int *p = new int[4]; ~Buffer() { delete[] p; } };
static int *leaked;
struct User { Buffer b; User() { leaked = b.p; throw 1; } };
int main() { try { User u; } catch (int) { return leaked[0] = 1; } }
