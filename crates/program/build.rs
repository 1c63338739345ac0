//! Gives the crate a digest of its own source, by which it knows what an earlier version stored.

use std::path::Path;

fn main() {
    let mut files = Vec::new();
    collect(Path::new("src"), &mut files);
    files.sort();
    let mut source = Vec::new();
    for file in files {
        source.extend(std::fs::read(file).expect("a listed file can be read"));
    }
    let digest = rapidhash::v3::rapidhash_v3(&source);
    println!("cargo::rerun-if-changed=src");
    println!("cargo::rustc-env=IMPASSE_PROGRAM_SOURCE={digest}");
}

fn collect(folder: &Path, files: &mut Vec<std::path::PathBuf>) {
    for entry in folder.read_dir().expect("the crate has its source") {
        let path = entry.expect("the crate has its source").path();
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.push(path);
        }
    }
}
