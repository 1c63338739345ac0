// expect: error kind=terminate
int main() { throw; }
