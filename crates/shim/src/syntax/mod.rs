//! The syntax of SHIM programs: tree, lexer, and parser.

mod expression;
pub mod lexer;
pub mod parser;
mod statement;
pub mod tree;
