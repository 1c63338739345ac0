//! `impasse sim`: each command, by scripts; and the screen, on a terminal of our own.

mod common;

use common::{impasse, root, set_up};
use nix::pty::{Winsize, openpty};
use nix::sys::signal::{Signal, kill};
use nix::sys::termios::{LocalFlags, tcgetattr};
use nix::unistd::Pid;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Simulates a program by a script. Returns what was printed, and the exit code.
fn simulate(words: &[&str], script: &str) -> (String, i32) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("script");
    fs::write(&file, script).expect("the script is written");
    let file = file.display().to_string();
    let output = impasse([&["sim", "--script", &file][..], words].concat());
    let printed = [output.stdout, output.stderr].concat();
    let printed = String::from_utf8(printed)
        .expect("text")
        .replace(&file, "SCRIPT");
    let code = output.status.code().expect("an exit code");
    (printed.replace(&format!("{}/", root().display()), ""), code)
}

fn example(name: &str) -> String {
    root().join("examples").join(name).display().to_string()
}

#[test]
fn threads_are_moved_one_by_one() {
    let script = "threads\ngo\ngo main 2\nstep 1\nsource\nlocks\nthreads\nback 2\nforward\n\
                  next 1\nmemory\nprint saved\njump 2\nchoices\nuntil 24 2\nfinish 2\n";
    let (printed, code) = simulate(&[&example("lock-order.c")], script);
    insta::assert_snapshot!(printed);
    assert_eq!(code, 0);
}

#[test]
fn breakpoints_and_watches_stop_threads() {
    let script = "break withdraw\nbreak 13\nwatch saved\nbreakpoints\ncontinue\ncontinue\n\
                  delete 3\ncontinue\ncontinue\ntrace\n";
    let (printed, code) = simulate(&[&example("lock-order.c")], script);
    insta::assert_snapshot!(printed);
    assert_eq!(code, 0);
}

#[test]
fn a_trace_can_be_followed_and_left() {
    let folder = tempfile::tempdir().expect("a folder");
    let result = folder.path().join("result.json");
    let output = impasse(["check", &example("lock-order.c"), "--format", "json"]);
    fs::write(&result, output.stdout).expect("the result is written");
    let result = result.display().to_string();
    let script = "forward 2\nforward 100\nstack 1\nback\nstack 1\nback 2\ngo 1 2\nforward\n";
    let (printed, code) = simulate(&["--trace", &result], script);
    insta::assert_snapshot!(printed);
    assert_eq!(code, 2, "what was left cannot be followed");
    let (_, code) = simulate(&["--trace", &result], "forward 100");
    assert_eq!(code, 1, "the trace leads to an error");
}

#[test]
fn outcomes_are_chosen() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("choice.c");
    let source = "#include <assert.h>\n\
                  extern int __VERIFIER_nondet_int(void);\n\
                  static int shared;\n\
                  int main(void)\n{\n\
                  \x20   shared = __VERIFIER_nondet_int();\n\
                  \x20   assert(shared != 2);\n}\n";
    fs::write(&file, source).expect("the program is written");
    let file = file.display().to_string();
    let words = [file.as_str(), "--nondet", "1..3"];
    let (printed, code) = simulate(&words, "2\n");
    assert!(
        printed.contains("error: assertion at choice.c:7"),
        "{printed}"
    );
    assert_eq!(code, 1);
    let (printed, code) = simulate(&words, "go\n");
    assert!(printed.contains("in 3 ways: choose one"), "{printed}");
    assert_eq!(code, 2);
    let (printed, code) = simulate(&words, "1\n");
    assert!(printed.contains("the program has ended"), "{printed}");
    assert_eq!(code, 0);
}

#[test]
fn wrong_commands_say_why() {
    let wrong = [
        ("dance", "there is no command dance"),
        ("go 7", "there is no thread 7"),
        ("9", "there is no choice 9"),
        ("back", "only 0 moves"),
        ("jump 3", "there are only 0 moves"),
        ("forward", "nothing to make again"),
        ("print nothing", "no variable nothing"),
        ("watch nothing", "no variable nothing"),
        ("memory nothing", "no such object"),
        ("delete 1", "no breakpoint 1"),
        ("until", "needs a place"),
    ];
    for (command, why) in wrong {
        let (printed, code) = simulate(&[&example("lock-order.c")], command);
        assert!(printed.contains("SCRIPT:1: "), "{command}: {printed}");
        assert!(printed.contains(why), "{command}: {printed}");
        assert_eq!(code, 2, "{command}");
    }
}

/// A simulation on a terminal.
struct Screen {
    child: Child,
    keys: File,
    printed: Receiver<Vec<u8>>,
    terminal: vt100::Parser,
}

impl Screen {
    fn new(words: &[&str], (columns, rows): (u16, u16)) -> Screen {
        set_up();
        let size = Winsize {
            ws_row: rows,
            ws_col: columns,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        let pair = openpty(&size, None).expect("a terminal");
        let end = || Stdio::from(pair.slave.try_clone().expect("a descriptor"));
        let child = Command::new(env!("CARGO_BIN_EXE_impasse"))
            .args([&["sim"], words].concat())
            .current_dir(root())
            .env("IMPASSE_HOME", root())
            .env_remove("NO_COLOR")
            .env("TERM", "xterm-256color")
            .stdin(end())
            .stdout(end())
            .stderr(end())
            .spawn()
            .expect("it starts");
        drop(pair.slave);
        let keys = File::from(pair.master.try_clone().expect("a descriptor"));
        let (sender, printed) = channel();
        thread::spawn(move || forward(pair.master, &sender));
        Screen {
            child,
            keys,
            printed,
            terminal: vt100::Parser::new(rows, columns, 0),
        }
    }

    fn press(&mut self, keys: &str) {
        self.keys
            .write_all(keys.as_bytes())
            .expect("keys are taken");
    }

    /// Waits until the screen shows a text. Returns the screen.
    fn wait_for(&mut self, text: &str) -> String {
        let until = Instant::now() + Duration::from_secs(120);
        loop {
            let shown = self.terminal.screen().contents();
            if shown.contains(text) {
                return self.settled();
            }
            let left = until.saturating_duration_since(Instant::now());
            match self.printed.recv_timeout(left) {
                Ok(bytes) => self.terminal.process(&bytes),
                Err(_) => panic!("{text:?} is not shown:\n{shown}"),
            }
        }
    }
}

impl Screen {
    /// The screen, once nothing is drawn any more.
    fn settled(&mut self) -> String {
        while let Ok(bytes) = self.printed.recv_timeout(Duration::from_millis(300)) {
            self.terminal.process(&bytes);
        }
        self.terminal.screen().contents()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Passes on what is printed, until the terminal is closed.
fn forward(terminal: OwnedFd, sender: &Sender<Vec<u8>>) {
    let mut terminal = File::from(terminal);
    let mut bytes = [0; 4096];
    while let Ok(count @ 1..) = terminal.read(&mut bytes) {
        if sender.send(bytes[..count].to_vec()).is_err() {
            break;
        }
    }
}

#[test]
fn the_screen_shows_what_keys_do() {
    let mut screen = Screen::new(&["examples/lock-order.c"], (130, 40));
    screen.wait_for("starts thread 1");
    screen.press("\r");
    screen.wait_for("after 1 moves");
    screen.press("\r");
    screen.wait_for("waits for thread 1");
    screen.press("1s");
    let shown = screen.wait_for("stack of thread 1");
    assert!(shown.contains("what can happen next"), "{shown}");
    let shown = screen.wait_for("deposit at lock-order.c:12");
    let lines: Vec<&str> = shown.lines().map(str::trim_end).collect();
    insta::assert_snapshot!(lines.join("\n"));
    screen.press("\t");
    screen.wait_for("checked = 10");
    screen.press(":print saved\r");
    screen.wait_for("saved = 10");
    screen.press("?");
    screen.wait_for("take a move back, make it again");
    screen.press(":nonsense\r");
    screen.wait_for("there is no command nonsense");
    screen.press("\x1b[D");
    screen.wait_for("after 2 of 3 moves");
    screen.press("q");
    let status = screen.child.wait().expect("it ends");
    assert_eq!(status.code(), Some(0));
}

#[test]
fn a_narrow_screen_has_one_column() {
    let mut screen = Screen::new(&["examples/lock-order.c"], (60, 40));
    let shown = screen.wait_for("starts thread 1");
    let line = |text: &str| shown.lines().position(|line| line.contains(text));
    assert!(line("lock-order.c").is_some(), "{shown}");
    assert!(
        line("what can happen next") < line("stack of main"),
        "{shown}"
    );
    screen.press("\x03");
    assert!(screen.child.wait().expect("it ends").success());
}

/// A request to stop gives the terminal back.
#[test]
fn a_signal_ends_the_screen() {
    let mut screen = Screen::new(&["examples/lock-order.c"], (130, 40));
    screen.wait_for("starts thread 1");
    let child = Pid::from_raw(screen.child.id() as i32);
    kill(child, Signal::SIGTERM).expect("it is signalled");
    let status = screen.child.wait().expect("it ends");
    assert!(!status.success());
    let attributes = tcgetattr(&screen.keys).expect("the attributes of the terminal");
    let is_raw = !attributes.local_flags.contains(LocalFlags::ICANON);
    assert!(!is_raw, "lines cannot be edited");
}
