use super::*;
use impasse_program::source::SourceLocation;

/// A source whose operation is at `|` with other orders.
fn changed(source: &str, order: Ordering, failure: Option<Ordering>) -> Option<String> {
    let at = source.find('|').expect("a place");
    let text = source.replacen('|', "", 1);
    let line = text[..at].matches('\n').count() as u32 + 1;
    let column = at - text[..at].rfind('\n').map_or(0, |n| n + 1);
    let place = SourceLocation {
        line,
        column: column as u32 + 1,
        ..SourceLocation::default()
    };
    let kind = match failure {
        Some(_) => AtomicKind::CompareExchange,
        None if source.contains("fence") => AtomicKind::Fence,
        None if source.contains("load") => AtomicKind::Load,
        None => AtomicKind::Store,
    };
    let operation = AtomicOperation::at(place, kind);
    let edits = edits_of(&text, &operation, Orders { order, failure })?;
    Some(applied(&text, edits))
}

#[test]
fn orders_are_changed_as_they_are_written() {
    use Ordering::{Acquire, AcquireRelease, Relaxed, Release};
    let cases = [
        (
            "x.|store(1);",
            Release,
            None,
            "x.store(1, std::memory_order_release);",
        ),
        (
            "while (!x->|load())",
            Acquire,
            None,
            "while (!x->load(std::memory_order_acquire))",
        ),
        (
            "x.|load(std::memory_order_seq_cst)",
            Acquire,
            None,
            "x.load(std::memory_order_acquire)",
        ),
        (
            "x.|load(std::memory_order::seq_cst)",
            Relaxed,
            None,
            "x.load(std::memory_order::relaxed)",
        ),
        (
            "|atomic_store_explicit(&x,\n\tf(a, \")\"), memory_order_seq_cst);",
            Release,
            None,
            "atomic_store_explicit(&x,\n\tf(a, \")\"), memory_order_release);",
        ),
        (
            "|atomic_load(&x)",
            Acquire,
            None,
            "atomic_load_explicit(&x, memory_order_acquire)",
        ),
        (
            "|__atomic_store_n(&x, 1, __ATOMIC_SEQ_CST)",
            Release,
            None,
            "__atomic_store_n(&x, 1, __ATOMIC_RELEASE)",
        ),
        (
            "|std::atomic_thread_fence(std::memory_order_seq_cst)",
            AcquireRelease,
            None,
            "std::atomic_thread_fence(std::memory_order_acq_rel)",
        ),
        (
            "x.|compare_exchange_weak(a, b)",
            AcquireRelease,
            Some(Acquire),
            "x.compare_exchange_weak(a, b, std::memory_order_acq_rel)",
        ),
        (
            "x.|compare_exchange_weak(a, b)",
            AcquireRelease,
            Some(Relaxed),
            "x.compare_exchange_weak(a, b, std::memory_order_acq_rel, std::memory_order_relaxed)",
        ),
        (
            "|atomic_compare_exchange_strong(&x, &a, b)",
            Acquire,
            Some(Acquire),
            "atomic_compare_exchange_strong_explicit(&x, &a, b, memory_order_acquire, memory_order_acquire)",
        ),
        (
            "|assert(f(atomic_load(&x) == 1));",
            Acquire,
            None,
            "assert(f(atomic_load_explicit(&x, memory_order_acquire) == 1));",
        ),
        (
            "|atomic_flag_clear(&f);",
            Release,
            None,
            "atomic_flag_clear_explicit(&f, memory_order_release);",
        ),
    ];
    for (source, order, failure, expected) in cases {
        let changed = changed(source, order, failure);
        assert_eq!(changed.as_deref(), Some(expected), "{source}");
    }
}

#[test]
fn what_is_written_in_another_way_is_left_alone() {
    let sources = [
        "|x = 1;",
        "x|++;",
        "x.|store(1, order);",
        "|LOCK(x);",
        "|load(x);",
        "x.|store(1",
        "|atomic_store_explicit(&x, 1, order)",
        "|BOTH(atomic_load(&x), atomic_load(&y));",
    ];
    for source in sources {
        assert_eq!(changed(source, Ordering::Release, None), None, "{source}");
    }
}
