//! Builds the library and prints the path of each member.

use std::error::Error;

use impasse_compile::{DataModel, Toolchain, library};

fn main() -> Result<(), Box<dyn Error>> {
    let toolchain = Toolchain::locate(&Toolchain::default_cache())?;
    let library = library::ensure(&toolchain, DataModel::Lp64, &|line| eprint!("\r{line}"))?;
    eprintln!();
    for member in library.members() {
        println!("{}\t{}", member.bitcode.display(), member.source);
    }
    Ok(())
}
