//! Programs that are made up, whose threads use C++'s semaphores, latches, barriers and shared
//! mutexes: with those of the standard library, whose operations are the machine's, they must get
//! the verdict and the outcomes that they get with classes that do the same with a mutex and a
//! condition variable.
//!
//! What they hand over differs: a mutex orders more. So all other variables are atomic.
//! `IMPASSE_PROGRAMS` in the environment says how many programs to try instead of the usual number.

mod common;

use common::{Answer, impasse, try_made_up};
use fastrand::Rng;
use libtest_mimic::Failed;
use std::fs;
use std::ops::Range;
use std::path::Path;
use std::process::ExitCode;

/// How many programs are made up.
const PROGRAMS: u64 = 20;

fn main() -> ExitCode {
    try_made_up(PROGRAMS, test)
}

fn test(number: u64) -> Result<(), Failed> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("coordination");
    fs::create_dir_all(&folder)?;
    let program = program(&mut Rng::with_seed(number));
    let answers = |name: &str, classes: &str| -> Result<_, Failed> {
        let path = folder.join(format!("{number}-{name}.cpp"));
        fs::write(&path, HEADERS.to_string() + classes + &program)?;
        let options = ["--memory-model", "sc"];
        let limited = [&options[..], &["--max-states", "50000"]].concat();
        Ok((Answer::of(&path, &limited)?, outcomes(&path, &options)?))
    };
    let library = answers("library", LIBRARY)?;
    let own = answers("own", OWN)?;
    let inconclusive = |answer: &Answer| answer.verdict == "inconclusive";
    if inconclusive(&library.0) || inconclusive(&own.0) {
        return Ok(());
    }
    let is = |answer: &Answer| (answer.verdict.clone(), answer.kind.clone());
    if is(&library.0) != is(&own.0) || library.1 != own.1 {
        let text = format!("{number}: {library:?} with the library's, {own:?} with its own");
        return Err(text.into());
    }
    Ok(())
}

/// All outcomes, or none if an execution hangs.
fn outcomes(path: &Path, options: &[&str]) -> Result<String, Failed> {
    let name = path.to_string_lossy();
    let output = impasse([&["outcomes", &name], options].concat());
    match output.status.code() {
        Some(0) => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        Some(1) => Ok(String::new()),
        _ => Err(String::from_utf8_lossy(&output.stderr).into_owned().into()),
    }
}

const HEADERS: &str = "#include <atomic>\n#include <barrier>\n#include <condition_variable>\n\
    #include <impasse.h>\n#include <latch>\n#include <mutex>\n#include <semaphore>\n\
    #include <shared_mutex>\n#include <thread>\n#include <utility>\n";

const LIBRARY: &str = "
using Semaphore = std::counting_semaphore<3>;
using Latch = std::latch;
using Barrier = std::barrier<>;
using Shared = std::shared_mutex;
";

const OWN: &str = "
extern \"C\" int __impasse_sometimes(void);
class Waiting {
protected:
    std::mutex mutex;
    std::condition_variable changed;
    int count;
    explicit Waiting(int count) : count(count) {}
};
struct Semaphore : Waiting {
    explicit Semaphore(int count) : Waiting(count) {}
    void acquire()
    {
        std::unique_lock lock(mutex);
        changed.wait(lock, [this] { return count > 0; });
        count--;
    }
    bool try_acquire()
    {
        std::lock_guard lock(mutex);
        return !__impasse_sometimes() && count > 0 && count-- > 0;
    }
    void release(int update = 1)
    {
        std::lock_guard lock(mutex);
        count += update;
        changed.notify_all();
    }
};
struct Latch : Waiting {
    explicit Latch(int count) : Waiting(count) {}
    void count_down(int update = 1)
    {
        std::lock_guard lock(mutex);
        count -= update;
        changed.notify_all();
    }
    bool try_wait()
    {
        std::lock_guard lock(mutex);
        return !__impasse_sometimes() && count == 0;
    }
    void wait()
    {
        std::unique_lock lock(mutex);
        changed.wait(lock, [this] { return count == 0; });
    }
    void arrive_and_wait()
    {
        count_down();
        wait();
    }
};
class Barrier : Waiting {
    int expected;
    bool phase = false;
    bool arrive(bool drops)
    {
        std::lock_guard lock(mutex);
        bool token = phase;
        expected -= drops;
        if (--count == 0) {
            phase = !phase;
            count = expected;
            changed.notify_all();
        }
        return token;
    }
public:
    explicit Barrier(int count) : Waiting(count), expected(count) {}
    bool arrive() { return arrive(false); }
    void wait(bool token)
    {
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return phase != token; });
    }
    void arrive_and_wait() { wait(arrive()); }
    void arrive_and_drop() { arrive(true); }
};
class Shared : Waiting {
    bool entered = false;
public:
    Shared() : Waiting(0) {}
    void lock()
    {
        std::unique_lock lock(mutex);
        changed.wait(lock, [this] { return !entered; });
        entered = true;
        changed.wait(lock, [this] { return count == 0; });
    }
    bool try_lock()
    {
        std::lock_guard lock(mutex);
        bool is_free = !__impasse_sometimes() && !entered && count == 0;
        entered |= is_free;
        return is_free;
    }
    void unlock()
    {
        std::lock_guard lock(mutex);
        entered = false;
        changed.notify_all();
    }
    void lock_shared()
    {
        std::unique_lock lock(mutex);
        changed.wait(lock, [this] { return !entered; });
        count++;
    }
    bool try_lock_shared()
    {
        std::lock_guard lock(mutex);
        bool is_free = !__impasse_sometimes() && !entered;
        count += is_free;
        return is_free;
    }
    void unlock_shared()
    {
        std::lock_guard lock(mutex);
        count--;
        changed.notify_all();
    }
};
";

/// Returns the text of a program but for its classes. Each thread counts a latch down, and arrives
/// at a barrier, no more often than they expect.
fn program(random: &mut Rng) -> String {
    let threads = random.usize(2..=3);
    let units = random.usize(0..=2);
    let count = random.usize(1..=threads);
    let mut text = format!(
        "Semaphore units({units});\nLatch latch({count});\nBarrier barrier({threads});\nShared shared;\n\
         std::atomic<int> x, y;\n"
    );
    for thread in 0..threads {
        text += &format!("IMPASSE_OUTCOME(int, seen{thread});\n");
    }
    let mut units = 3 - units;
    let mut counts = count;
    // Phases after one in which a thread leaves are rare otherwise, and so are threads that meet at
    // a shared mutex.
    let kinds = [0..18, 9..13, 13..18][random.usize(0..3)].clone();
    text += "int main()\n{\n";
    for thread in (0..threads).rev() {
        if thread > 0 {
            text += &format!("    std::thread thread{thread}([] {{\n");
        }
        text += &statements(random, thread, &kinds, &mut units, &mut counts);
        if thread > 0 {
            text += "    });\n";
        }
    }
    for thread in 1..threads {
        text += &format!("    thread{thread}.join();\n");
    }
    text + "}\n"
}

fn statements(
    random: &mut Rng,
    thread: usize,
    kinds: &Range<u8>,
    units: &mut usize,
    counts: &mut usize,
) -> String {
    let mut text = String::new();
    let mut may_arrive = true;
    for _ in 0..random.usize(1..=3) {
        let between = access(random, thread);
        let statement = match random.u8(kinds.clone()) {
            0 | 1 => "units.acquire();".into(),
            2 => format!("if (units.try_acquire()) seen{thread} += 100;"),
            3 | 4 if *units > 0 => {
                *units -= 1;
                "units.release();".into()
            }
            5 if *counts > 0 => {
                *counts -= 1;
                "latch.count_down();".into()
            }
            6 if *counts > 0 => {
                *counts -= 1;
                "latch.arrive_and_wait();".into()
            }
            7 => "latch.wait();".into(),
            8 => format!("if (latch.try_wait()) seen{thread} += 1000;"),
            9 if may_arrive => "barrier.arrive_and_wait();".into(),
            10 if may_arrive => format!(
                "{{ auto token = barrier.arrive(); {between} barrier.wait(std::move(token)); }}"
            ),
            11 if may_arrive => {
                may_arrive = false;
                "barrier.arrive_and_drop();".into()
            }
            13 => format!("shared.lock(); {between} shared.unlock();"),
            14 => format!("shared.lock_shared(); {between} shared.unlock_shared();"),
            15 => "shared.lock_shared(); shared.lock_shared(); shared.unlock_shared(); \
                   shared.unlock_shared();"
                .into(),
            16 => format!("if (shared.try_lock()) {{ {between} shared.unlock(); }}"),
            17 => format!("if (shared.try_lock_shared()) {{ {between} shared.unlock_shared(); }}"),
            _ => between,
        };
        text += &format!("        {statement}\n");
    }
    // A variable that no code mentions is none of the program's.
    text + &format!("        seen{thread}++;\n")
}

fn access(random: &mut Rng, thread: usize) -> String {
    let variable = ["x", "y"][random.usize(0..2)];
    match random.bool() {
        true => format!("{variable}++;"),
        false => format!("seen{thread} = 10 * seen{thread} + {variable};"),
    }
}
