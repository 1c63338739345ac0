// expect: error kind=double-free line=14 message="freed by the main thread at"
// trace: frees int#1
// trace: starts thread 1
#include <thread>
int main()
{
    int *p = new int(1);
    int *q = p;
    delete p;
    std::thread t([q] {
        int *r = new int(2);
        delete r;
        // Another object is freed between.
        delete q;
    });
    t.join();
}
