// expect: error kind=hang line=14|20 message="can never lock"
// Each takes first what the other takes second.
#include <mutex>
#include <thread>

std::mutex from, to;
int balance[2] = {1, 1};

int main()
{
    std::thread there([] {
        std::lock_guard first(from);
        // main may hold `to`
        std::lock_guard second(to);
        balance[0]--, balance[1]++;
    });
    {
        std::lock_guard first(to);
        // and wait here
        std::lock_guard second(from);
        balance[1]--, balance[0]++;
    }
    there.join();
}
