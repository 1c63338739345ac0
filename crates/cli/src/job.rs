//! What process 0 sends to the others: the translated program and the options of the check. So the
//! other machines need the binary alone.

use anyhow::{Context, Result, anyhow, bail};
use impasse_machine::base::options::Options;
use impasse_machine::base::suppression::{Rule, Suppressions};
use impasse_machine::system::{ROOTS, System, builtin};
use impasse_program::library::{Library, version};
use impasse_program::link::Program;
use impasse_program::unit::Unit;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The units of a program in serialised form.
pub struct Parts {
    /// The user's units.
    pub units: Vec<u8>,
    /// The units of the library that are reached, as a library of their own.
    pub library: Vec<u8>,
}

impl Parts {
    /// Returns the parts of a program that is linked of these units, already serialised, and this
    /// library. Fails if the library cannot be read.
    pub fn of(program: &Program, units: Vec<u8>, library: &Library) -> Result<Parts> {
        let library = library.part(program.members())?;
        Ok(Parts { units, library })
    }
}

/// What all workers of a process begin with.
pub struct Base {
    /// The system that is searched first.
    pub system: System,
    /// What does not matter to the result.
    pub course: Course,
}

/// How a check proceeds.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
pub struct Course {
    /// Each search stops soon after so many states.
    pub max_states: Option<u64>,
    /// The folder of checkpoints, and the time from one to the next.
    pub checkpoints: Option<(PathBuf, Duration)>,
    /// The folder of the checkpoint from which it resumes.
    pub resumed: Option<PathBuf>,
    /// Stands for the program and the options.
    pub identity: String,
}

impl Course {
    /// Returns whether checkpoints are written to this folder.
    pub fn saves_to(&self, folder: &Path) -> bool {
        let saved = self.checkpoints.as_ref().map(|(saved, _)| saved);
        saved.is_some_and(|saved| saved.canonicalize().ok() == folder.canonicalize().ok())
    }
}

/// What begins a job: another version would read the rest otherwise.
#[derive(Serialize, Deserialize)]
struct Envelope {
    version: String,
    #[serde(with = "serde_bytes")]
    job: Vec<u8>,
}

#[derive(Serialize, Deserialize)]
struct Job {
    #[serde(with = "serde_bytes")]
    units: Vec<u8>,
    #[serde(with = "serde_bytes")]
    library: Vec<u8>,
    options: Options,
    rules: Vec<Rule>,
    course: Course,
}

/// The version of this binary, as far as what it sends depends on it.
fn own_version() -> String {
    format!("{}-{:016x}", env!("CARGO_PKG_VERSION"), version())
}

/// Returns the job of searching a program with these options, in serialised form, and sets the
/// identity in the course.
pub fn write(parts: Parts, options: &Options, course: &mut Course) -> Result<Vec<u8>> {
    let mut hasher = blake3::Hasher::new();
    let rules = postcard::to_stdvec(options.suppressions.rules())?;
    let all = [
        &parts.units,
        &parts.library,
        &postcard::to_stdvec(options)?,
        &rules,
    ];
    for part in all {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    course.identity = format!("{} {}", own_version(), hasher.finalize());
    let job = Job {
        units: parts.units,
        library: parts.library,
        options: options.clone(),
        rules: options.suppressions.rules().to_vec(),
        course: course.clone(),
    };
    let envelope = Envelope {
        version: own_version(),
        job: postcard::to_stdvec(&job)?,
    };
    Ok(postcard::to_stdvec(&envelope)?)
}

/// Returns what to begin with. Fails if another version of Impasse has written the job.
pub fn read(bytes: &[u8]) -> Result<Base> {
    let envelope: Envelope = postcard::from_bytes(bytes).context("the program is damaged")?;
    let own = own_version();
    if envelope.version != own {
        bail!(
            "has another version of Impasse: {own}, and process 0 has {}",
            envelope.version
        );
    }
    let job: Job = postcard::from_bytes(&envelope.job).context("the program is damaged")?;
    let units: Vec<Unit> = postcard::from_bytes(&job.units).context("the program is damaged")?;
    let library = Library::in_memory(job.library)?;
    let program = Program::link(units, &library, &builtin, &ROOTS)?;
    let options = Options {
        suppressions: Arc::new(Suppressions::new(job.rules)),
        ..job.options
    };
    Ok(Base {
        system: System::new(program, options).map_err(|error| anyhow!(error))?,
        course: job.course,
    })
}
