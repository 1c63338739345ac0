/* Annotations for programs that Impasse checks.
 *
 * Compiled by anything else, they are harmless: a choice is its first alternative, an assumption
 * and the brackets of an atomic section do nothing. */
#ifndef IMPASSE_H
#define IMPASSE_H

#ifdef __cplusplus
extern "C" {
#endif

/* A global variable whose values at the end `impasse outcomes` prints:
 *     IMPASSE_OUTCOME(int, r1);
 *     IMPASSE_OUTCOME(atomic_int, x) = 1; */
#define IMPASSE_OUTCOME(type, name) type name __asm__("impasse.outcome." #name)

#if defined __IMPASSE__ || defined __IMPASSE_STEERED__

int __impasse_choose(int n);
void __impasse_assume(int condition);
void __impasse_atomic_begin(void);
void __impasse_atomic_end(void);

#endif

/* Any of 0, 1, ..., n-1: every one of them is explored. */
static inline int impasse_choose(int n)
{
#if defined __IMPASSE__ || defined __IMPASSE_STEERED__
	return __impasse_choose(n);
#else
	(void)n;
	return 0;
#endif
}

/* Executions in which the condition is false are not looked at. */
static inline void impasse_assume(int condition)
{
#if defined __IMPASSE__ || defined __IMPASSE_STEERED__
	__impasse_assume(condition);
#else
	(void)condition;
#endif
}

/* What is between begin and end is one step: no other thread runs in between. */
static inline void impasse_atomic_begin(void)
{
#if defined __IMPASSE__ || defined __IMPASSE_STEERED__
	__impasse_atomic_begin();
#endif
}

static inline void impasse_atomic_end(void)
{
#if defined __IMPASSE__ || defined __IMPASSE_STEERED__
	__impasse_atomic_end();
#endif
}

#ifdef __cplusplus
}
#endif

#endif
