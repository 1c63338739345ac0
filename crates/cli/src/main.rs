//! The binary: runs the command line.

fn main() -> std::process::ExitCode {
    impasse::main()
}
