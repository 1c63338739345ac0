// expect: error kind=uncaught-exception
int main() { throw 1; }
