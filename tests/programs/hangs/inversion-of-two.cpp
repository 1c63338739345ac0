// expect: verified
// Both take the locks with std::scoped_lock, in whatever order.
#include <mutex>
#include <thread>

std::mutex from, to;
int balance[2] = {1, 1};

int main()
{
    std::thread there([] {
        std::scoped_lock both(from, to);
        balance[0]--, balance[1]++;
    });
    {
        std::scoped_lock both(to, from);
        balance[1]--, balance[0]++;
    }
    there.join();
}
