// A queue of at most one letter, on which senders and receivers wait.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>

class Queue
{
public:
    void send(int letter)
    {
        std::unique_lock lock(mutex);
        changed.wait(lock, [this] { return !content; });
        content = letter;
        changed.notify_one();
    }

    int receive()
    {
        std::unique_lock lock(mutex);
        changed.wait(lock, [this] { return content.has_value(); });
        int letter = *content;
        content.reset();
        changed.notify_one();
        return letter;
    }

private:
    std::mutex mutex;
    std::condition_variable changed;
    std::optional<int> content;
};
