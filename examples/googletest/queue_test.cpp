#include "queue.h"

#include <gtest/gtest.h>
#include <thread>

TEST(Queue, KeepsALetter)
{
    Queue queue;
    queue.send(1);
    EXPECT_EQ(queue.receive(), 1);
}

TEST(Queue, HandsOver)
{
    Queue queue;
    std::thread sender([&] { queue.send(1); });
    EXPECT_EQ(queue.receive(), 1);
    sender.join();
}

TEST(Queue, ServesTwoReceivers)
{
    Queue queue;
    std::thread first([&] { queue.receive(); });
    std::thread second([&] { queue.receive(); });
    queue.send(1);
    queue.send(2);
    first.join();
    second.join();
}
