// expect: error kind=data-race message="node#1"
// trace: allocates node#1: 40 bytes
// An object that `std::make_shared` makes has the name of its type.
#include <memory>
#include <thread>
struct node { long value; long weight; };
static void count(node *it) { it->weight++; }
int main()
{
    auto shared = std::make_shared<node>();
    std::thread other(count, shared.get());
    count(shared.get());
    other.join();
}
