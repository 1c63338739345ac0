/* Jumps that restore the signal mask. The machine jumps; it uses the first two words of a buffer. */
#include <setjmp.h>
#include <signal.h>

void __impasse_save_mask(sigjmp_buf buffer, int save)
{
	buffer->__fl = save != 0;
	if (save)
		sigprocmask(SIG_SETMASK, 0, (sigset_t *)buffer->__ss);
}

_Noreturn void siglongjmp(sigjmp_buf buffer, int value)
{
	if (buffer->__fl)
		sigprocmask(SIG_SETMASK, (sigset_t *)buffer->__ss, 0);
	longjmp(buffer, value);
}
