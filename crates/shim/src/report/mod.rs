//! Results for people: as text for a terminal, and as a page to look at.

mod html;
mod svg;
mod terminal;

pub use html::page;
pub use terminal::{paper_row, text};
