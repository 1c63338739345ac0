/* The names of system calls that no room knows, for what is noted of them. */
#include <sys/syscall.h>
#include "kernel.h"

#define NAMED(call) {SYS_##call, #call}

static const struct {
	int number;
	const char *name;
} names[] = {
	NAMED(acct), NAMED(add_key), NAMED(adjtimex), NAMED(arch_prctl), NAMED(bpf), NAMED(capget), NAMED(capset),
	NAMED(chroot), NAMED(clock_adjtime), NAMED(clone3), NAMED(close_range), NAMED(delete_module),
	NAMED(epoll_pwait2), NAMED(faccessat2), NAMED(fanotify_init), NAMED(fanotify_mark), NAMED(fgetxattr),
	NAMED(finit_module), NAMED(flistxattr), NAMED(fremovexattr), NAMED(fsetxattr), NAMED(fsmount),
	NAMED(fsopen), NAMED(futex_waitv), NAMED(get_mempolicy), NAMED(getcpu), NAMED(getpgid), NAMED(getsid),
	NAMED(getxattr), NAMED(init_module), NAMED(inotify_add_watch), NAMED(inotify_rm_watch), NAMED(io_cancel),
	NAMED(io_destroy), NAMED(io_getevents), NAMED(io_setup), NAMED(io_submit), NAMED(io_uring_enter),
	NAMED(io_uring_register), NAMED(io_uring_setup), NAMED(ioperm), NAMED(iopl), NAMED(ioprio_get),
	NAMED(ioprio_set), NAMED(kcmp), NAMED(kexec_load), NAMED(keyctl), NAMED(landlock_create_ruleset),
	NAMED(lgetxattr), NAMED(listxattr), NAMED(llistxattr), NAMED(lookup_dcookie), NAMED(lremovexattr),
	NAMED(lsetxattr), NAMED(mbind), NAMED(migrate_pages), NAMED(mincore), NAMED(mlock2), NAMED(modify_ldt),
	NAMED(mount), NAMED(mount_setattr), NAMED(move_mount), NAMED(move_pages), NAMED(mq_getsetattr),
	NAMED(mq_notify), NAMED(mq_open), NAMED(mq_timedreceive), NAMED(mq_timedsend), NAMED(mq_unlink),
	NAMED(msgctl), NAMED(msgrcv), NAMED(msgsnd), NAMED(name_to_handle_at), NAMED(open_by_handle_at),
	NAMED(open_tree), NAMED(openat2), NAMED(perf_event_open), NAMED(personality), NAMED(pidfd_getfd),
	NAMED(pidfd_open), NAMED(pidfd_send_signal), NAMED(pivot_root), NAMED(pkey_alloc), NAMED(pkey_free),
	NAMED(pkey_mprotect), NAMED(preadv2), NAMED(process_madvise), NAMED(process_vm_readv),
	NAMED(process_vm_writev), NAMED(ptrace), NAMED(pwritev2), NAMED(quotactl), NAMED(readahead), NAMED(reboot),
	NAMED(remap_file_pages), NAMED(removexattr), NAMED(request_key), NAMED(restart_syscall), NAMED(rseq),
	NAMED(rt_sigqueueinfo), NAMED(rt_tgsigqueueinfo), NAMED(sched_getattr), NAMED(sched_rr_get_interval),
	NAMED(sched_setattr), NAMED(seccomp), NAMED(semctl), NAMED(set_mempolicy), NAMED(setdomainname),
	NAMED(sethostname), NAMED(setns), NAMED(setpgid), NAMED(setsid), NAMED(setxattr), NAMED(shmctl),
	NAMED(shmdt), NAMED(statx), NAMED(swapoff), NAMED(swapon), NAMED(sync), NAMED(sync_file_range),
	NAMED(syncfs), NAMED(sysfs), NAMED(sysinfo), NAMED(syslog), NAMED(times), NAMED(umount2), NAMED(uname),
	NAMED(unshare), NAMED(userfaultfd), NAMED(ustat), NAMED(vhangup), NAMED(wait4), NAMED(waitid),
};

const char *__impasse_name_of_call(long n)
{
	for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
		if (names[i].number == n)
			return names[i].name;
	return 0;
}
