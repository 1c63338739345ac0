/* Sections of a program that must be able to end once they have begun.
 *
 * Impasse reports a section that can reach a state from which it can no longer end. With any other
 * compiler, all of this does nothing.
 *
 *   an exclusive section on an address: impasse_section_begin(&x); ... impasse_section_end(&x);
 *   a wait of a thread on an address:   impasse_wait_begin(&x); ... impasse_wait_end(&x);
 *   a function that must return:        IMPASSE_MUST_RETURN; as its first statement
 *   until the end of the scope, in C++: impasse::section s(&x); impasse::wait w(&x);
 */
#ifndef IMPASSE_SECTION_H
#define IMPASSE_SECTION_H

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __IMPASSE__
void __impasse_section_begin(int kind, const volatile void *address);
void __impasse_section_end(int kind, const volatile void *address);
#else
#define __impasse_section_begin(kind, address) ((void)(address))
#define __impasse_section_end(kind, address) ((void)(address))
#endif

/* The thread begins what only one thread does at a time, with the thing at an address. */
static inline void impasse_section_begin(const volatile void *address)
{
	__impasse_section_begin(0, address);
}

/* What was begun with the thing at an address is over. Another thread may say so. */
static inline void impasse_section_end(const volatile void *address)
{
	__impasse_section_end(0, address);
}

/* The thread begins to wait for something to happen to the thing at an address. */
static inline void impasse_wait_begin(const volatile void *address)
{
	__impasse_section_begin(1, address);
}

/* It has happened. */
static inline void impasse_wait_end(const volatile void *address)
{
	__impasse_section_end(1, address);
}

#ifdef __cplusplus
}

namespace impasse {

/* An exclusive section on the thing at an address, until the end of the scope. */
class section {
public:
	explicit section(const volatile void *address) : address_(address)
	{
		impasse_section_begin(address_);
	}
	~section() { impasse_section_end(address_); }
	section(const section &) = delete;
	section &operator=(const section &) = delete;

private:
	const volatile void *address_;
};

/* Waiting for something to happen to the thing at an address, until the end of the scope. */
class wait {
public:
	explicit wait(const volatile void *address) : address_(address)
	{
		impasse_wait_begin(address_);
	}
	~wait() { impasse_wait_end(address_); }
	wait(const wait &) = delete;
	wait &operator=(const wait &) = delete;

private:
	const volatile void *address_;
};

/* The function must return: see IMPASSE_MUST_RETURN. */
class must_return {
public:
	must_return() { __impasse_section_begin(2, nullptr); }
	~must_return() { __impasse_section_end(2, nullptr); }
	must_return(const must_return &) = delete;
	must_return &operator=(const must_return &) = delete;
};

}

#define IMPASSE_MUST_RETURN impasse::must_return impasse_must_return_

#else

#ifdef __IMPASSE__
static inline void impasse_function_returns_(const char *begun)
{
	(void)begun;
	__impasse_section_end(2, 0);
}
#define IMPASSE_MUST_RETURN                                                                    \
	__attribute__((cleanup(impasse_function_returns_), unused)) const char                 \
		impasse_must_return_ = (__impasse_section_begin(2, 0), 0)
#else
#define IMPASSE_MUST_RETURN ((void)0)
#endif

#endif

#endif
