//! Compiles the files that it is given and prints where the bitcode is, and how long it took.

use std::env;
use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

use impasse_compile::{CompileRequest, DataModel, Toolchain, compile, library};

fn main() -> Result<(), Box<dyn Error>> {
    let start = Instant::now();
    let toolchain = Toolchain::locate(&Toolchain::default_cache())?;
    let library = library::ensure(&toolchain, DataModel::Lp64, &|_| {})?;
    eprintln!("library: {:?}", start.elapsed());
    let mut arguments = env::args().skip(1);
    let inputs = arguments
        .by_ref()
        .take_while(|argument| argument != "--")
        .map(|name| PathBuf::from(name).into())
        .collect();
    let request = CompileRequest {
        inputs,
        flags: arguments.collect(),
        optimise: false,
    };
    for module in compile(&toolchain, &library, &request).map_err(|error| error.to_string())? {
        print!("{}", module.warnings);
        println!("{} -> {}", module.input.display(), module.bitcode.display());
    }
    eprintln!("compiled: {:?}", start.elapsed());
    Ok(())
}
