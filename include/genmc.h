/* What programs written for the checker GenMC find under this name: assumptions, inputs, and marks of loops that do nothing but
 * wait, which mean nothing to Impasse: it finds such loops itself. */
#ifndef IMPASSE_GENMC_H
#define IMPASSE_GENMC_H

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __cplusplus
void __VERIFIER_assume(bool condition);
#else
void __VERIFIER_assume(_Bool condition);
#endif
int __VERIFIER_nondet_int(void);
void __VERIFIER_loop_begin(void);
void __VERIFIER_spin_start(void);
#if defined __cplusplus || __STDC_VERSION__ >= 202000L
void __VERIFIER_spin_end(...);
#else
void __VERIFIER_spin_end();
#endif

#ifdef __cplusplus
}
#endif

#endif
