//! The JPEG decoder decodes: what it prints is compared with what another decoder made of the same
//! files. `tests/shim/images` holds images written by Pillow, of every form that the decoder reads,
//! and their pixels as Pillow, that is libjpeg-turbo, decodes them.

use impasse_shim::runner::RunInputs;
use std::path::PathBuf;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn program(name: &str) -> String {
    let path = root().join(format!("examples/shim/{name}.shim"));
    std::fs::read_to_string(path).expect("the program is there")
}

fn image(name: &str) -> Vec<u8> {
    let path = root().join(format!("tests/shim/images/{name}.jpg"));
    std::fs::read(path).expect("the image is there")
}

fn pixels(name: &str) -> Vec<i32> {
    let path = root().join(format!("tests/shim/images/{name}.pixels"));
    numbers(&std::fs::read_to_string(path).expect("the pixels are there"))
}

fn numbers(text: &str) -> Vec<i32> {
    text.split_whitespace()
        .map(|n| n.parse().expect("a number"))
        .collect()
}

/// The bytes that the decoder has in it: where they stand in its text, and what they are.
fn bytes(text: &str) -> (std::ops::Range<usize>, Vec<u8>) {
    let start = text.find("] = {\n    0xff, 0xd8").expect("the bytes") + 5;
    let end = start + text[start..].find("\n  };").expect("their end");
    let byte = |word: &str| u8::from_str_radix(word.trim().trim_start_matches("0x"), 16);
    let bytes = text[start..end]
        .split(',')
        .map(|word| byte(word).expect("a byte"));
    (start..end, bytes.collect())
}

/// The decoder with another file in it.
fn holding(name: &str, file: &[u8]) -> String {
    let text = program(name);
    let (place, old) = bytes(&text);
    let words: Vec<String> = file.iter().map(|byte| byte.to_string()).collect();
    let (size, other) = (old.len().to_string(), file.len().to_string());
    assert_eq!(
        text.matches("[601]").count() + 1,
        text.matches("601").count()
    );
    [&text[..place.start], &words.join(", "), &text[place.end..]]
        .concat()
        .replace(&size, &other)
}

fn printed(text: &str) -> String {
    let mut printed = String::new();
    let mut sink = |line: &str| printed.push_str(&format!("{line}\n"));
    let ran = impasse_shim::run("jpeg", text, &RunInputs::default(), 50_000_000, &mut sink);
    assert!(matches!(ran, Ok(Ok(_))));
    printed
}

/// Decoders may round differently: each value may be off by two.
fn assert_decodes(name: &str, text: &str) {
    let (found, wanted) = (numbers(&printed(text)), pixels(name));
    assert_eq!(found[..2], wanted[..2], "{name}: its size");
    assert_eq!(found.len(), wanted.len(), "{name}: the number of pixels");
    let off = found.iter().zip(&wanted).map(|(a, b)| (a - b).abs());
    assert!(
        off.clone().max() <= Some(2),
        "{name}: off by {:?}",
        off.max()
    );
}

#[test]
fn the_image_in_the_programs_has_the_right_pixels() {
    for name in ["jpeg", "jpeg_modified"] {
        let text = program(name);
        assert_eq!(bytes(&text).1, image("subsampled"));
        assert_decodes("subsampled", &text);
    }
}

#[test]
fn images_of_other_forms_have_the_right_pixels() {
    for name in ["grey", "full", "wide", "plain"] {
        assert_decodes(name, &holding("jpeg", &image(name)));
    }
}

#[test]
fn broken_files_are_told_apart() {
    let whole = image("subsampled");
    let find = |marker: u8| {
        let pairs = whole.windows(2);
        pairs
            .into_iter()
            .position(|pair| pair == [0xff, marker])
            .expect("the marker")
    };
    let with = |position: usize, byte: u8| {
        let mut file = whole.clone();
        file[position] = byte;
        file
    };
    for (fault, file) in [
        (1, with(1, 0xd9)),
        (2, whole[..100].to_vec()),
        (3, with(find(0xc0) + 1, 0xc2)),
        (3, with(find(0xc0) + 4, 12)),
        (4, with(find(0xdb) + 4, 7)),
        (5, with(find(0xc4) + 5, 3)),
        (6, with(find(0xda) + 4, 1)),
        (7, with(find(0xda) + 20, 0xff)),
        (8, with(find(0xd0) + 1, 0xd3)),
        (9, with(find(0xc0) + 7, 200)),
        (10, with(whole.len() - 1, 0xd0)),
    ] {
        let text = printed(&holding("jpeg", &file));
        assert_eq!(text, format!("not decoded, fault {fault}\n"));
    }
}
