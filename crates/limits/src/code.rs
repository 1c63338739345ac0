//! The code of the process, whose pages can be given up like those of other files.
//!
//! Much of it is used once only: what reads and translates a program. A page that is executed
//! again comes back from its file.

use rustix::mm::{Advice, madvise};
use std::fs;
use std::ops::Range;

/// Where code is mapped.
pub(crate) struct Code(Vec<Range<usize>>);

impl Code {
    /// Finds the code that is mapped at present.
    pub(crate) fn find() -> Code {
        let mappings = fs::read_to_string("/proc/self/smaps").unwrap_or_default();
        Code(unchanged(&mappings))
    }

    /// Gives up all its pages. Other threads may execute it meanwhile.
    pub(crate) fn release(&self) {
        for range in &self.0 {
            // SAFETY: code stays mapped, since no library is unloaded. No page of it was changed,
            // so its pages come back from the file with what they held.
            let _ = unsafe { madvise(range.start as *mut _, range.len(), Advice::LinuxDontNeed) };
        }
    }
}

/// The code among some mappings (`/proc/self/smaps`) whose pages are all those of its file.
fn unchanged(mappings: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut code = None;
    for line in mappings.lines() {
        match line.split_whitespace().collect::<Vec<_>>()[..] {
            [range, access, _, _, _, path, ..] => {
                let is_code = access == "r-xp" && path.starts_with('/');
                code = parsed(range).filter(|_| is_code);
            }
            ["Anonymous:", "0", "kB"] => found.extend(code.take()),
            _ => {}
        }
    }
    found
}

fn parsed(range: &str) -> Option<Range<usize>> {
    let (start, end) = range.split_once('-')?;
    let number = |text| usize::from_str_radix(text, 16).ok();
    Some(number(start)?..number(end)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_what_is_executable_and_unchanged() {
        let text = "\
1000-3000 r-xp 00000000 fe:00 42                         /usr/bin/one
Rss:                   8 kB
Anonymous:             0 kB
VmFlags: rd ex mr mw me sd
3000-4000 r--p 00002000 fe:00 42                         /usr/bin/one
Anonymous:             0 kB
5000-7000 r-xp 00000000 fe:00 43                         /usr/lib/patched.so
Anonymous:             4 kB
8000-9000 r-xp 00000000 00:00 0                          [vdso]
Anonymous:             0 kB
a000-b000 r-xp 00000000 fe:00 44                         /usr/lib/a name.so (deleted)
Anonymous:             0 kB
c000-d000 rw-p 00000000 00:00 0
Anonymous:             0 kB
";
        assert_eq!(unchanged(text), [0x1000..0x3000, 0xa000..0xb000]);
    }

    #[test]
    fn code_that_was_given_up_is_executed() {
        let code = Code::find();
        let here = unchanged as fn(&str) -> _ as usize;
        assert!(code.0.iter().any(|range| range.contains(&here)));
        code.release();
        assert_eq!(parsed("10-20"), Some(16..32));
    }
}
