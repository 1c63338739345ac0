//! The option `--data-model`.

use clap::ValueEnum;
use impasse_compile::DataModel;

/// The sizes of C's types.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum Model {
    /// `long` and pointers have 64 bits.
    #[default]
    Lp64,
    /// `long` and pointers have 32 bits.
    Ilp32,
}

impl From<Model> for DataModel {
    fn from(model: Model) -> DataModel {
        match model {
            Model::Lp64 => DataModel::Lp64,
            Model::Ilp32 => DataModel::Ilp32,
        }
    }
}
