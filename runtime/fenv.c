/* The floating-point environment: no exception flags, rounding to nearest.
 *
 * A program that was compiled against other headers can still ask for more. */
#include <fenv.h>
#include "impasse_machine.h"

int feclearexcept(int mask)
{
	(void)mask;
	return 0;
}

int feraiseexcept(int mask)
{
	(void)mask;
	return 0;
}

int fetestexcept(int mask)
{
	if (mask)
		__impasse_unsupported("floating-point exception flags");
	return 0;
}

int fegetround(void)
{
	return FE_TONEAREST;
}

int __fesetround(int mode)
{
	(void)mode;
	return 0;
}

int fesetround(int mode)
{
	if (mode != FE_TONEAREST)
		__impasse_unsupported("a rounding mode other than to nearest");
	return 0;
}

int fegetenv(fenv_t *environment)
{
	*environment = (fenv_t){0};
	return 0;
}

int fesetenv(const fenv_t *environment)
{
	(void)environment;
	return 0;
}
