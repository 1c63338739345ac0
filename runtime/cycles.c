/* The processor's counter of cycles (rdtsc): a clock like all others. */
#include "impasse_machine.h"

unsigned long __impasse_cycles(void)
{
	return (unsigned long)__impasse_time(1);
}

/* As the instruction rdtscp gives them, one in each register. */
struct cycles_and_processor {
	unsigned long cycles;
	unsigned processor;
};

struct cycles_and_processor __impasse_cycles_and_processor(void)
{
	return (struct cycles_and_processor){__impasse_cycles(), 0};
}
