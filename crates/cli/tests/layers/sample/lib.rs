//! Modules for the test of the layers.
mod a;
mod b;
mod c;
mod d;
