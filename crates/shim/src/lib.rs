//! The SHIM language and its deadlocks.
//!
//! A program goes from text to a syntax tree ([`syntax`]), to three-address code ([`lower`]), to a
//! tree of tasks ([`tree`]) and to a network of automata ([`network`]), on which the engines work.

pub mod automaton;
pub mod concolic;
pub mod data;
pub mod diagnostic;
pub mod eval;
pub mod ir;
pub mod lower;
pub mod machine;
pub mod names;
pub mod network;
pub mod refine;
pub mod single;
pub mod solve;
pub mod source;
pub mod specialise;
pub mod symbolic;
pub mod synchronous;
pub mod syntax;
pub mod terms;
pub mod tree;

use diagnostic::{Diagnostic, Rejected};
use source::SourceFile;

/// Reads and checks a program.
pub fn compile(name: &str, text: &str) -> Result<ir::Program, Box<Rejected>> {
    let file = SourceFile::new(name, text);
    let mut diagnostics: Vec<Diagnostic> = Vec::new();
    let tree = syntax::parser::parse(text, &mut diagnostics);
    let names = names::resolve(&tree, &mut diagnostics);
    let program = lower::lower(file.clone(), &tree, &names, &mut diagnostics);
    if diagnostics.is_empty() {
        return Ok(program);
    }
    diagnostics.sort_by_key(|d| d.span);
    Err(Box::new(Rejected { file, diagnostics }))
}
