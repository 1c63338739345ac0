//! What was written is read back, and what was not written is refused.

use super::*;
use crate::link::tests::UnitBuilder;
use crate::module::Module;
use std::io::Write;

fn units() -> Vec<Unit> {
    let mut one = UnitBuilder::new("one");
    one.strong("f", &["g"]);
    one.unit.debug.files.push("one.c".into());
    let mut two = UnitBuilder::new("two");
    two.strong("g", &[]);
    two.strong("gg", &[]);
    vec![one.unit, two.unit]
}

fn open(bytes: &[u8]) -> Result<Arc<Library>, LibraryError> {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    Library::open(file.path())
}

fn refusal(bytes: &[u8]) -> String {
    open(bytes).err().unwrap().to_string()
}

#[test]
fn units_come_back() {
    let bytes = Library::build(units());
    for library in [open(&bytes).unwrap(), Library::in_memory(bytes).unwrap()] {
        assert_eq!(library.units(), 2);
        assert_eq!(library.find("f"), Some((0, SymbolId(1))));
        assert_eq!(library.find("g"), Some((1, SymbolId(0))));
        assert_eq!(library.find("gg"), Some((1, SymbolId(1))));
        for unknown in ["", "a", "ff", "h"] {
            assert_eq!(library.find(unknown), None);
        }
        let module = Module::of_library(&library, 0).unwrap();
        let original = &units()[0];
        assert_eq!(module.unit.name, "one");
        assert_eq!(module.unit.symbols.len(), original.symbols.len());
        assert_eq!(module.body(0).encode(), original.functions[0].body);
        assert_eq!(module.debug().files, ["one.c"]);
    }
}

#[test]
fn writing_replaces_the_file_as_a_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("library");
    Library::write(&path, units()).unwrap();
    let opened = Library::open(&path).unwrap();
    Library::write(&path, vec![]).unwrap();
    assert_eq!(
        Module::of_library(&opened, 0).unwrap().debug().files,
        ["one.c"]
    );
    assert_eq!(Library::open(&path).unwrap().units(), 0);
    assert_eq!(folder.path().read_dir().unwrap().count(), 1);
    let error = Library::write(&path.join("below"), vec![]).err().unwrap();
    assert!(error.to_string().starts_with("cannot write the library "));
}

#[test]
fn other_files_are_refused() {
    let missing = Library::open(Path::new("/nonexistent/library"))
        .err()
        .unwrap();
    assert!(
        missing
            .to_string()
            .starts_with("cannot read the library /nonexistent/library: ")
    );
    assert!(refusal(b"").ends_with("is not a library of Impasse"));
    assert!(refusal(&[7; 1000]).ends_with("is not a library of Impasse"));
}

#[test]
fn damaged_files_are_refused() {
    let bytes = Library::build(units());
    assert!(refusal(&bytes[..bytes.len() - 1]).contains("is damaged"));
    let mut other_version = bytes.clone();
    other_version[8] ^= 1;
    assert!(refusal(&other_version).contains("another version"));
    let mut other_index = bytes.clone();
    *other_index.last_mut().unwrap() ^= 1;
    assert!(refusal(&other_index).contains("index"));
}
