// expect: error kind=use-after-free line=12 message="freed by the main thread as the program exits"
// Destructors of static objects run in no code of the program's own.
#include <mutex>
#include <string>
#include <thread>
std::mutex &m = *new std::mutex;
std::string text(40, 'a');
int main()
{
    std::thread([] {
        std::lock_guard guard(m);
        if (text[0] != 'a')
            throw 1;
    }).detach();
    std::lock_guard guard(m);
}
