//! What all parts of a report for a person share: the options, and how threads, numbers and amounts
//! are written.

/// How a report is rendered.
#[derive(Clone, Copy, Default, Debug)]
pub struct Rendering {
    /// Show every step of the trace, however long.
    pub whole_trace: bool,
    /// Show frames of libraries too.
    pub library_frames: bool,
}

/// Returns the name of a thread in reports. Thread 0 is "main" there.
pub fn thread_name(thread: u32) -> String {
    match thread {
        0 => "main".into(),
        n => format!("thread {n}"),
    }
}

/// Returns a number with its digits in groups of three: "12,345".
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (n, digit) in digits.chars().enumerate() {
        if n > 0 && (digits.len() - n).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Returns an amount of memory, given in bytes, as text in KiB, MiB or GiB.
pub fn bytes(bytes: u64) -> String {
    match bytes {
        0..1_048_576 => format!("{} KiB", bytes.div_ceil(1024)),
        1_048_576..1_073_741_824 => format!("{:.0} MiB", bytes as f64 / 1_048_576.0),
        _ => format!("{:.1} GiB", bytes as f64 / 1_073_741_824.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1000), "1,000");
        assert_eq!(grouped(1234567), "1,234,567");
    }
}
