// expect: error kind=use-after-free line=11 message="freed-by-library.cpp:10"
// trace: frees int#1
// Memory that a smart pointer frees is freed where the program made the pointer do so.
#include <memory>
int main()
{
    auto owner = std::make_unique<int>(3);
    int *p = owner.get();
    auto other = std::move(owner);
    other.reset();
    return *p;
}
