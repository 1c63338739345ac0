// expect: error kind=uncaught-exception
int main() { try { throw 1; } catch (int) { throw; } }
