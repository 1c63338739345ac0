//! Results for people: as text for a terminal, and as a page to look at.

mod html;
mod json;
mod labels;
mod network;
mod sequence;
mod svg;
mod terminal;

pub use html::page;
pub use json::{json, paper_json, rejected_json};
pub use terminal::{paper_row, paper_table, text};
