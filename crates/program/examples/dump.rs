//! Shows the executable form of bitcode: `dump FILE [FUNCTION]` prints functions, `dump --count
//! FILES` what cannot be executed.

use impasse_program::instruction::{Body, Instruction};
use impasse_program::translate::{dump, translate_file};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments[..] {
        [flag, files @ ..] if flag == "--count" => count(files),
        [file] => print(file, None),
        [file, name] => print(file, Some(name)),
        _ => Err("usage: dump FILE [FUNCTION] | dump --count FILES".into()),
    }
}

fn print(file: &str, name: Option<&str>) -> Result<(), Box<dyn std::error::Error>> {
    let unit = translate_file(Path::new(file))?;
    for function in &unit.functions {
        let symbol = &unit.symbols[function.symbol.0 as usize].name;
        if name.is_none_or(|name| name == symbol || name == function.display_name) {
            println!("{}", dump(&unit, function));
        }
    }
    Ok(())
}

fn count(files: &[String]) -> Result<(), Box<dyn std::error::Error>> {
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    let (mut functions, mut instructions, mut slots) = (0, 0, 0);
    let start = Instant::now();
    for file in files {
        let unit = translate_file(Path::new(file))?;
        functions += unit.functions.len();
        for symbol in unit
            .symbols
            .iter()
            .filter(|symbol| symbol.name.contains(" (its initial"))
        {
            *reasons.entry(symbol.name.clone()).or_default() += 1;
        }
        for function in &unit.functions {
            let body: Body = postcard::from_bytes(&function.body)?;
            instructions += body.code.len();
            slots += body.slots as usize;
            for instruction in &body.code {
                if let Instruction::Unsupported { reason } = instruction {
                    let reason = body.names[*reason as usize].clone();
                    *reasons.entry(reason).or_default() += 1;
                }
            }
        }
    }
    println!(
        "{functions} functions, {instructions} instructions, {slots} slots, {:?}",
        start.elapsed()
    );
    for (reason, count) in reasons {
        println!("{count:6}  {reason}");
    }
    Ok(())
}
