//! From LLVM's objects to a unit.
//!
//! A module is read, its symbols are found, its functions and variables translated one by one. No
//! pass of LLVM's is run: each access to memory stays as clang emitted it, save those to variables
//! whose address nothing else can have (see `promote`). What has no executable form becomes an
//! instruction that says so where execution reaches it.

mod assembly;
mod builder;
mod calls;
mod constants;
mod context;
mod fold;
mod function;
mod globals;
mod intrinsics;
mod llvm;
mod memory;
mod operations;
mod peephole;
mod promote;
mod scopes;
mod source;
mod stem;
mod types;

use crate::instruction::Scalar;
use crate::unit::{Definition, Function, Unit};
use context::{Context, is_defined};
use std::path::{Path, PathBuf};

/// Why a file does not become a unit.
#[derive(Debug, thiserror::Error)]
pub enum TranslateError {
    /// LLVM cannot read the file.
    #[error("{path} is no valid LLVM bitcode or IR: {message}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What LLVM says, in one line.
        message: String,
    },
    /// The module is for a machine with other addresses.
    #[error("{0} is not for a little-endian target of 64 or 32 bits: compile it for x86")]
    WrongTarget(PathBuf),
}

/// Translates a file of LLVM bitcode or textual IR. Fails if LLVM cannot read it, or if it is for a
/// machine with other addresses. LLVM's reader may crash on a damaged file.
pub fn translate_file(path: &Path) -> Result<Unit, TranslateError> {
    let unreadable = |message: String| TranslateError::Unreadable {
        path: path.to_path_buf(),
        message: message
            .trim()
            .lines()
            .next()
            .unwrap_or("unknown error")
            .to_string(),
    };
    let module = llvm::Module::read(path).map_err(unreadable)?;
    module.verify().map_err(unreadable)?;
    if !module.has_usual_layout() {
        return Err(TranslateError::WrongTarget(path.to_path_buf()));
    }
    Ok(translate_module(&module, path))
}

fn translate_module(module: &llvm::Module, path: &Path) -> Unit {
    let mut context = Context::new(module);
    let mut unit = Unit {
        name: match module.source_name() {
            name if name.is_empty() => path.display().to_string(),
            name => name,
        },
        is_ilp32: module.is_ilp32(),
        ..Unit::default()
    };
    context.add_globals(&mut unit);
    for function in module.functions() {
        if !function.is_intrinsic() && is_defined(function) {
            add_function(&mut context, function, &mut unit);
        }
    }
    unit.symbols = context.symbols;
    unit.debug = context.source.finish();
    unit
}

fn add_function<'m>(context: &mut Context<'m>, function: llvm::Value<'m>, unit: &mut Unit) {
    let Some(symbol) = context.symbol(function) else {
        return;
    };
    let (signature, mut body) = function::translate(context, function);
    let words = signature
        .parameters
        .iter()
        .map(|scalar: &Scalar| scalar.words())
        .sum();
    body.slots = body.slots.max(words);
    peephole::optimise(&mut body, words);
    debug_assert!(body.is_consistent());
    crate::liveness::fill(&mut body, words);
    crate::liveness::fill_needed(&mut body);
    let mut references = body.symbols();
    let personality = function.personality().and_then(|p| context.symbol(p));
    references.extend(personality);
    references.sort_unstable();
    references.dedup();
    let (display_name, location) = context.source.of_function(function);
    context.symbols[symbol.0 as usize].definition =
        Definition::Function(unit.functions.len() as u32);
    unit.functions.push(Function {
        symbol,
        signature,
        display_name,
        location,
        references,
        no_unwind: function.is_no_unwind(context.module),
        personality,
        body: postcard::to_stdvec(&body).expect("a body can always be encoded"),
    });
}
