//! The syntax of SHIM programs: tree, lexer, and parser.

pub mod lexer;
pub mod parser;
mod expression;
pub mod tree;
