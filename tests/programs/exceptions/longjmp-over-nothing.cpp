// expect: verified
// Nothing in what is left has a destructor: arrays, handlers of exceptions, `noexcept`, and a text
// that is dead.
#include <array>
#include <cassert>
#include <csetjmp>
#include <string>

static std::jmp_buf back;

static void leave() noexcept
{
    std::longjmp(back, 1);
}

static int guarded(int n)
{
    std::array<int, 3> numbers{n, n, n};
    {
        std::string dead(100, 'x');
        assert(dead.size() == 100);
    }
    try {
        leave();
    } catch (const std::string &) {
        return 1;
    } catch (...) {
        return 2;
    }
    return numbers[0];
}

int main()
{
    std::string alive(100, 'y');
    if (setjmp(back) == 0)
        guarded(3);
    assert(alive.size() == 100);
}
