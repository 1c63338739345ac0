//! Files and folders that appear in the cache whole or not at all.
//!
//! Each is made under a temporary name beside its place and then renamed, which is atomic; who
//! loses a race finds an equal result in place and takes that.

use std::fs;
use std::path::Path;

use crate::error::CompileError;

/// Makes `target` by filling a temporary folder that then takes its name.
pub(crate) fn publish_folder(
    target: &Path,
    fill: impl FnOnce(&Path) -> Result<(), CompileError>,
) -> Result<(), CompileError> {
    let parent = parent(target)?;
    let folder = tempfile::Builder::new()
        .prefix(".new-")
        .tempdir_in(parent)
        .map_err(|e| CompileError::io(parent, e))?;
    fill(folder.path())?;
    let made = folder.keep();
    match fs::rename(&made, target) {
        Ok(()) => Ok(()),
        Err(_) if target.is_dir() => {
            fs::remove_dir_all(&made).map_err(|e| CompileError::io(&made, e))
        }
        Err(error) => Err(CompileError::io(target, error)),
    }
}

/// Makes `target` by having `fill` write the file whose path it gets.
pub(crate) fn publish_file(
    target: &Path,
    fill: impl FnOnce(&Path) -> Result<(), CompileError>,
) -> Result<(), CompileError> {
    let parent = parent(target)?;
    let file = tempfile::Builder::new()
        .prefix(".new-")
        .tempfile_in(parent)
        .map_err(|e| CompileError::io(parent, e))?
        .into_temp_path();
    fill(&file)?;
    file.persist(target)
        .map_err(|e| CompileError::io(target, e.error))
}

fn parent(target: &Path) -> Result<&Path, CompileError> {
    let parent = target.parent().expect("a path in the cache has a parent");
    fs::create_dir_all(parent).map_err(|e| CompileError::io(parent, e))?;
    Ok(parent)
}
