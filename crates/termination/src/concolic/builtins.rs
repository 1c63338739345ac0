//! Which functions of the machine can be followed on symbols.

use impasse_program::word::Word;

/// Functions whose effect the evaluation of a trace knows.
const FOLLOWED: &[&str] = &[
    "malloc",
    "calloc",
    "realloc",
    "free",
    "__libc_malloc",
    "__libc_calloc",
    "__libc_realloc",
    "__libc_free",
    "aligned_alloc",
    "memalign",
    "memcpy",
    "memmove",
    "memset",
    "__impasse_assume",
    "__impasse_exit",
    "__impasse_abort",
    "__assert_fail",
    "__impasse_failed",
    "__impasse_unsupported",
    "__impasse_output",
    "__impasse_asks",
    "__impasse_atomic_begin",
    "__impasse_atomic_end",
    "__impasse_atomic_load_begin",
    "__impasse_atomic_update_begin",
    "__impasse_atomic_access_end",
    "__impasse_disjoint",
    "__impasse_lock",
    "__impasse_unlock",
    "__impasse_snapshot_count",
    "__impasse_snapshot_size",
    "llvm.trap",
    "llvm.ubsantrap",
    "llvm.debugtrap",
    "sched_yield",
    "pthread_self",
    "__impasse_thread_id",
];

/// Whether the evaluation of a trace knows the effect of the builtin with this name.
pub fn is_followed(name: &str) -> bool {
    FOLLOWED.contains(&name)
}

/// Whether the builtin frees the object that its first argument points to.
pub fn frees(name: &str) -> bool {
    matches!(name, "free" | "__libc_free" | "realloc" | "__libc_realloc")
}

/// The memory that the builtin writes and that existed before the call: its address, and its size
/// in bytes. `None` if there is none.
pub fn writes(name: &str, arguments: &[Word]) -> Option<(Word, u64)> {
    match name {
        "memcpy" | "memmove" | "memset" => Some((arguments[0], arguments[2].bits)),
        "__impasse_lock" | "__impasse_unlock" => Some((arguments[0], LOCK_BYTES)),
        _ => None,
    }
}

/// The size of the machine's plain lock, in bytes.
pub const LOCK_BYTES: u64 = 4;
