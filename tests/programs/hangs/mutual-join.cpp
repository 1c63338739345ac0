// expect: verified
// One joins the other, and nobody the one but main.
#include <thread>

int main()
{
    std::thread first([] {});
    std::thread second([&] { first.join(); });
    second.join();
}
