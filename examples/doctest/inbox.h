#pragma once
#include <condition_variable>
#include <mutex>
#include <queue>

// Letters for several readers, until it is closed.
class Inbox
{
    std::mutex mutex;
    std::condition_variable changed;
    std::queue<int> letters;
    bool closed = false;

public:
    void put(int letter)
    {
        std::lock_guard lock(mutex);
        letters.push(letter);
        changed.notify_one();
    }

    void close()
    {
        std::lock_guard lock(mutex);
        closed = true;
        // Each reader waits for it, and this wakes one.
        changed.notify_one();
    }

    // Returns whether there was a letter, and there will be no more if not.
    bool take(int &letter)
    {
        std::unique_lock lock(mutex);
        changed.wait(lock, [this] { return closed || !letters.empty(); });
        if (letters.empty())
            return false;
        letter = letters.front();
        letters.pop();
        return true;
    }
};
