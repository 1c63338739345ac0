// expect: error kind=hang line=10|13
// por-off: skip
// Two tasks, each with what the other needs first.
#include <future>

int main()
{
    std::promise<int> left, right;
    auto task = std::async(std::launch::async, [&] {
        int got = left.get_future().get();
        right.set_value(got);
    });
    int got = right.get_future().get();
    left.set_value(got);
}
