//! Where addresses of code lie in the source: llvm-symbolizer is asked, once for each address.

use anyhow::{Context, Result};
use impasse_compile::symbolizer::{SourcePlace, Symbolizer};
use impasse_diagnose::order::Place;
use impasse_report::Spot;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Answers where addresses of a program lie.
pub struct Places {
    symbolizer: Symbolizer,
    known: HashMap<u64, Own>,
    files: HashMap<String, Option<String>>,
    /// Folders of headers that are not the program's own.
    foreign: Vec<PathBuf>,
}

/// The place of a stack in the program's own code.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Own {
    /// The innermost place; none if no frame is the program's own.
    pub place: Option<Place>,
    /// Whether no library is in between.
    pub direct: bool,
}

impl Places {
    /// Returns the places of a program. Headers in `foreign` are a library's, as those of the
    /// system are. Fails if llvm-symbolizer is not there.
    pub fn of(program: &Path, foreign: Vec<PathBuf>) -> Result<Places> {
        Ok(Places {
            symbolizer: Symbolizer::start(program).context("llvm-symbolizer")?,
            known: HashMap::new(),
            files: HashMap::new(),
            foreign,
        })
    }

    /// Returns the place of a stack of return addresses, innermost first.
    pub fn own(&mut self, stack: &[u64]) -> Own {
        for (depth, &address) in stack.iter().enumerate() {
            let own = self.of_code(address);
            if own.place.is_some() {
                return Own {
                    direct: own.direct && depth == 0,
                    ..own
                };
            }
        }
        Own::default()
    }

    /// The place of the code before a return address.
    fn of_code(&mut self, address: u64) -> Own {
        if let Some(known) = self.known.get(&address) {
            return known.clone();
        }
        let own = self.ask(address.saturating_sub(1)).unwrap_or_default();
        self.known.insert(address, own.clone());
        own
    }

    /// The innermost place of an address that is the program's own.
    fn ask(&mut self, address: u64) -> Option<Own> {
        let places = self.symbolizer.places(&format!("{address:#x}")).ok()?;
        let mut found = places.into_iter().enumerate();
        let own = found.find_map(|(depth, place)| Some((depth, self.read(place?)?)));
        Some(own.map_or_else(Own::default, |(depth, place)| Own {
            place: Some(place),
            direct: depth == 0,
        }))
    }

    /// A place, if it is the program's own.
    fn read(&mut self, place: SourcePlace) -> Option<Place> {
        let file = self.own_file(&place.file)?;
        Some(Place {
            spot: Some(Spot {
                file,
                line: place.line,
            }),
            column: place.column,
        })
    }

    /// The name of a file of the program's own.
    fn own_file(&mut self, file: &str) -> Option<String> {
        if let Some(known) = self.files.get(file) {
            return known.clone();
        }
        let path = Path::new(file);
        let path = path.canonicalize().unwrap_or(path.to_owned());
        let is_own = !path.starts_with("/usr")
            && path.is_absolute()
            && !self.foreign.iter().any(|folder| path.starts_with(folder));
        let own = is_own.then(|| path.display().to_string());
        self.files.insert(file.to_owned(), own.clone());
        own
    }
}

/// Returns a place with the full name of its file.
pub fn full(place: &Place) -> Place {
    let spot = place.spot.as_ref().map(|spot| Spot {
        file: Path::new(&spot.file)
            .canonicalize()
            .map_or(spot.file.clone(), |path| path.display().to_string()),
        line: spot.line,
    });
    Place {
        spot,
        column: place.column,
    }
}
