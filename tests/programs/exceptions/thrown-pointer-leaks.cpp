// expect: error kind=memory-leak
int main() { try { throw new int(1); } catch (int *) {} }
