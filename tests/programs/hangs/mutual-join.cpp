// expect: verified
// One joins the other, and only main joins the one.
#include <thread>

int main()
{
    std::thread first([] {});
    std::thread second([&] { first.join(); });
    second.join();
}
