//! The programs of the paper's Table 1, the sieve family, and dining philosophers.
//!
//! Each program is checked in a process of its own, so that its peak memory is its own. Times are
//! of the processor, so that they depend less on what else the machine does.

use impasse_shim::analysis::Budget;
use impasse_shim::report::paper_row;
use std::process::Command;

const TABLE: [&str; 9] = [
    "source_sink",
    "pipeline",
    "sieve",
    "berkeley",
    "fir",
    "bitonic_sort",
    "framebuffer",
    "jpeg",
    "jpeg_modified",
];

/// A chain of `n` filters between a source of unknown numbers and a sink.
fn sieve(n: usize) -> String {
    format!(
        "void filter(int p, chan int in, chan int &out) {{ for (;;) {{ int x = next in; if (x % p) next out = x; }} }}
         void chain(int n, chan int in, chan int &out) {{
           chan int c;
           if (n > 1) {{ filter(n + 1, in, c); par chain(n - 1, c, out); }} else filter(2, in, out);
         }}
         void main() {{
           chan int a, b;
           {{ for (;;) next a = input(); }} par chain({n}, a, b); par {{ for (;;) next b; }}
         }}"
    )
}

/// Philosophers around a table, their forks between them; `seed` shuffles the declarations.
fn philosophers(n: usize, seed: u64) -> String {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut channels: Vec<String> = (0..n)
        .flat_map(|i| [format!("l{i}"), format!("r{i}")])
        .collect();
    let mut tasks: Vec<String> = (0..n)
        .flat_map(|i| {
            [
                format!("philosopher(l{i}, r{i});"),
                format!("fork(l{i}, r{});", (i + n - 1) % n),
            ]
        })
        .collect();
    if seed > 0 {
        rng.shuffle(&mut channels);
        rng.shuffle(&mut tasks);
    }
    format!(
        "void fork(chan int left, chan int right) {{
           for (;;) if (input() > 0) {{ next left; next left; }} else {{ next right; next right; }}
         }}
         void philosopher(chan int &a, chan int &b) {{
           for (;;) {{ next a = 1; next b = 1; next a = 0; next b = 0; }}
         }}
         void main() {{ chan int {}; {} }}",
        channels.join(", "),
        tasks.join(" par ")
    )
}

fn program(name: &str) -> String {
    let words: Vec<&str> = name.split(' ').collect();
    let number = |index: usize| {
        words
            .get(index)
            .and_then(|w| w.parse::<u64>().ok())
            .unwrap_or(0)
    };
    match words[0] {
        "chain" => sieve(number(1) as usize),
        "philosophers" => philosophers(number(1) as usize, number(2)),
        _ => {
            let path = format!(
                "{}/../../examples/shim/{name}.shim",
                env!("CARGO_MANIFEST_DIR")
            );
            std::fs::read_to_string(path).expect("the program is there")
        }
    }
}

/// Processor time that this thread has used, in seconds.
fn processor_time() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split(' ').next().and_then(|n| n.parse::<f64>().ok());
    nanoseconds.unwrap_or(0.0) / 1e9
}

/// The mean processor time of as many runs as take a fifth of a second, since the system counts it
/// in milliseconds; and the last result.
fn timed<T>(run: impl Fn() -> T) -> (f64, T) {
    let start = processor_time();
    let mut runs = 0.0;
    loop {
        let result = run();
        runs += 1.0;
        let used = processor_time() - start;
        if used > 0.2 || runs > 2_000.0 {
            return (used / runs, result);
        }
    }
}

fn one(name: &str, paper: bool) {
    let (text, budget) = (program(name), Budget::default());
    if paper {
        let (seconds, mut row) =
            timed(|| impasse_shim::check_as_paper(name, &text, &budget).expect("a good program"));
        row.seconds = seconds;
        println!("{}", paper_row(name, &row));
        return;
    }
    let (seconds, result) =
        timed(|| impasse_shim::check(name, &text, &budget).expect("a good program"));
    println!(
        "{name:<24} {:>6} {:>8} {:>6}  {:<14} {seconds:>9.4} s {:>7.1} MB  {} states, {}",
        result.lines,
        result.channels.len(),
        result.tasks.len(),
        result.verdict.word(),
        result.peak_memory_bytes as f64 / 1e6,
        result.states,
        result.method
    );
}

fn apart(name: &str, mode: &str) {
    let program = std::env::current_exe().expect("this program has a path");
    let status = Command::new("timeout")
        .arg("120")
        .arg(program)
        .args(["--one", mode, name])
        .status();
    if !status.is_ok_and(|status| status.success()) {
        println!("{name:<24} not finished in 120 s");
    }
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    if let [_, flag, mode, name] = &args[..]
        && flag == "--one"
    {
        return one(name, mode == "paper");
    }
    println!(
        "{:<24} {:>6} {:>8} {:>6}",
        "Table 1", "lines", "channels", "tasks"
    );
    TABLE.iter().for_each(|name| apart(name, "full"));
    println!("\nTable 1 by the paper's abstraction");
    TABLE.iter().for_each(|name| apart(name, "paper"));
    println!("\nA chain of n filters");
    [10, 20, 40, 80]
        .iter()
        .for_each(|n| apart(&format!("chain {n}"), "full"));
    println!("\nThe same by the paper's abstraction");
    [10, 20, 40]
        .iter()
        .for_each(|n| apart(&format!("chain {n}"), "paper"));
    println!("\nDining philosophers, as declared and shuffled");
    for seed in 0..5 {
        apart(&format!("philosophers 10 {seed}"), "full");
    }
}
