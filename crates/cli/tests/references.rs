//! Programs that are made up, whose threads copy and drop pointers and access variables: with
//! `std::shared_ptr`, whose counts a search for races takes for counts, they must get the verdict
//! that they get with a class that does the same, whose counts are atomics as others are.
//!
//! `IMPASSE_PROGRAMS` in the environment says how many programs to try instead of the usual number.

mod common;

use common::{Answer, try_made_up};
use fastrand::Rng;
use libtest_mimic::Failed;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

/// How many programs are made up.
const PROGRAMS: u64 = 8;

fn main() -> ExitCode {
    try_made_up(PROGRAMS, test)
}

fn test(number: u64) -> Result<(), Failed> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("references");
    fs::create_dir_all(&folder)?;
    let program = program(&mut Rng::with_seed(number));
    let answer = |name: &str, class: &str| {
        let path = folder.join(format!("{number}-{name}.cpp"));
        fs::write(&path, HEADERS.to_string() + class + &program)?;
        let options = ["--max-states", "20000", "--hangs", "off"];
        Answer::of(&path, &options)
    };
    let counted = answer("library", LIBRARY)?;
    let plain = answer("own", OWN)?;
    let inconclusive = |answer: &Answer| answer.verdict == "inconclusive";
    if inconclusive(&counted) || inconclusive(&plain) || counted.verdict == plain.verdict {
        return Ok(());
    }
    Err(format!("{number}: {counted:?} with shared_ptr, {plain:?} with a class of its own").into())
}

const HEADERS: &str =
    "#include <atomic>\n#include <cassert>\n#include <memory>\n#include <thread>\n";

const LIBRARY: &str = "
using Pointer = std::shared_ptr<int>;
Pointer make() { return Pointer(new int(1)); }
";

const OWN: &str = "
class Pointer {
    struct Block { std::atomic<long> count; int *value; };
    Block *block = nullptr;
public:
    Pointer() = default;
    explicit Pointer(int *value) : block(new Block{1, value}) {}
    Pointer(const Pointer &other) : block(other.block)
    {
        if (block)
            block->count.fetch_add(1, std::memory_order_relaxed);
    }
    Pointer &operator=(Pointer other) { std::swap(block, other.block); return *this; }
    ~Pointer() { reset(); }
    void reset()
    {
        if (block && block->count.fetch_sub(1, std::memory_order_acq_rel) == 1) {
            delete block->value;
            delete block;
        }
        block = nullptr;
    }
    long use_count() const { return block ? block->count.load(std::memory_order_relaxed) : 0; }
    explicit operator bool() const { return block; }
    int &operator*() const { return *block->value; }
};
Pointer make() { return Pointer(new int(1)); }
";

/// Returns the text of a program but for what defines `Pointer`.
fn program(random: &mut Rng) -> String {
    let threads = random.usize(1..=2);
    let counts = random.u8(0..3) == 0;
    let mut text = String::from("int plain[2];\nstd::atomic<int> flags[2];\nPointer shared;\n");
    text += "int main()\n{\n    shared = make();\n";
    for thread in 0..threads {
        let captured = ["&", "&, own = shared"][random.usize(0..2)];
        text += &format!("    std::thread thread{thread}([{captured}]() mutable {{\n");
        let has_own = captured.len() > 1;
        text += &statements(random, has_own, counts, 6);
        text += "    });\n";
    }
    text += "    {\n        Pointer own = shared;\n";
    text += &statements(random, true, counts, 6);
    text += "    }\n";
    let joins_late = random.bool();
    if joins_late {
        text += &statements(random, false, counts, 2);
    }
    for thread in 0..threads {
        text += &format!("    thread{thread}.join();\n");
    }
    text + "}\n"
}

/// Returns statements of a thread, which may copy, read, or drop its own pointer.
fn statements(random: &mut Rng, has_own: bool, counts: bool, most: usize) -> String {
    let mut text = String::new();
    let mut locals = 0;
    for _ in 0..random.usize(1..=most) {
        let variable = random.usize(0..2);
        let order = ["relaxed", "relaxed", "release", "seq_cst"][random.usize(0..4)];
        let load = if order == "release" { "acquire" } else { order };
        let own = if has_own && random.bool() {
            "own"
        } else {
            "shared"
        };
        let statement = match random.u8(0..12) {
            0..=3 => {
                locals += 1;
                format!("Pointer copy{locals}_ = {own};")
            }
            4 => format!("{{ Pointer passing = {own}; }}"),
            5 if random.u8(0..3) == 0 => format!("plain[{variable}]++;"),
            5 | 6 => format!("if ({own}) (void)*{own};"),
            7 | 8 => format!("flags[{variable}].store(1, std::memory_order_{order});"),
            9 => format!(
                "if (flags[{variable}].load(std::memory_order_{load})) plain[{variable}]++;"
            ),
            10 if counts => {
                let least = random.u8(2..5);
                format!("if ({own}.use_count() > {least}) plain[{variable}]++;")
            }
            10 if has_own => "own.reset();".into(),
            _ => format!(
                "if (flags[{variable}].load(std::memory_order_{load}))\n            \
                 assert(flags[{}].load(std::memory_order_{load}));",
                1 - variable
            ),
        };
        text += &format!("        {statement}\n");
    }
    text
}
