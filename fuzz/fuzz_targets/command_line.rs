//! The command line: every list of words is parsed or refused.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let words = std::iter::once("impasse").chain(text.split('\0'));
    let _ = impasse::is_valid_command_line(words);
});
