//! Crates that a test or an example writes out and has cargo build against this workspace: for source text that is
//! generated, and for source text that may not compile. They share a target directory of their own, so that their
//! dependencies are built once and no lock is waited for that the cargo which runs the tests could hold.

use std::env;
use std::env::consts::EXE_EXTENSION;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A crate that depends on `jacobian`.
pub struct ScratchCrate {
    directory: PathBuf,
}

impl ScratchCrate {
    /// An empty crate of this name, which must be no other scratch crate's. Its own code is built with the debug
    /// information that `debug` says. `dependencies` are lines of its manifest, beside that of `jacobian`.
    pub fn new(name: &str, debug: u8, dependencies: &str) -> Self {
        let directory = temporary().join(name);
        fs::create_dir_all(&directory).expect("the directory of temporary files can be written");
        let scratch = ScratchCrate { directory };
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        scratch.write(
            "Cargo.toml",
            &format!(
                "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
                 [dependencies]\njacobian-ad = {{ path = {root:?} }}\n{dependencies}\n[profile.dev]\ndebug = {debug}\nincremental = false\n"
            ),
        );
        // The versions that the workspace uses are there, so that nothing is fetched.
        if let Ok(lock) = fs::read_to_string(root.join("Cargo.lock")) {
            scratch.write("Cargo.lock", &lock);
        }
        scratch
    }

    /// Writes a file, unless it is there already with this text.
    pub fn write(&self, path: &str, text: &str) {
        let path = self.directory.join(path);
        if fs::read_to_string(&path).is_ok_and(|present| present == text) {
            return;
        }
        let parent = path.parent().expect("a file is in a directory");
        fs::create_dir_all(parent).and_then(|()| fs::write(&path, text)).expect("the crate can be written");
    }

    /// Runs cargo with these arguments.
    pub fn cargo(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO"))
            .args(["--offline", "--quiet", "--color", "never"])
            .args(arguments)
            .env("CARGO_TARGET_DIR", target())
            .current_dir(&self.directory)
            .env_remove("RUST_MIN_STACK")
            .output()
            .expect("cargo can be run")
    }

    /// Runs the program that cargo has built last.
    #[allow(dead_code, reason = "most tests have cargo run it")]
    pub fn run(&self) -> Output {
        let name = self.directory.file_name().expect("the directory is named after the crate");
        let program = target().join("debug").join(name).with_extension(EXE_EXTENSION);
        Command::new(program).output().expect("the program can be run")
    }

    /// Where the crate is.
    pub fn directory(&self) -> &Path {
        &self.directory
    }
}

/// The target directory of all scratch crates.
fn target() -> PathBuf {
    temporary().join("target")
}

/// The directory that cargo has for what tests write; of an example, one beside its program.
fn temporary() -> PathBuf {
    let beside = || env::current_exe().expect("this program is a file").with_file_name("tmp");
    option_env!("CARGO_TARGET_TMPDIR").map_or_else(beside, PathBuf::from)
}

/// What a command printed: first on its standard output, then on its standard error.
pub fn printed(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}
