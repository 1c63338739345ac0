mod inner;
pub use inner::C;
