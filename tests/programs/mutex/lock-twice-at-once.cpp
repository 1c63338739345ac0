// expect: error kind=mutex-misuse line=11 message="twice at once"
// The mutexes that std::lock takes must be different ones.
#include <mutex>

static std::mutex mutex;

static void swap(std::mutex &one, std::mutex &other)
{
    // As for the operand of an assignment to itself.

    std::scoped_lock both(one, other);
}

int main()
{
    swap(mutex, mutex);
}
