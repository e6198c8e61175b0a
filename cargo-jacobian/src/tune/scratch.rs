//! The scratch crate: written, built with the user's flags, and run.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use proc_macro2::TokenStream;
use quote::ToTokens;
use serde_json::Value;

use super::compare::Build;
use super::needed::names;

/// What every scratch crate has beside the function.
const RUNTIME: &str = include_str!("runtime.rs");

/// The package of the user's file, as far as it matters.
pub struct Package {
    edition: String,
    /// The dependencies: their names in the code, and what is written for them.
    dependencies: Vec<(String, String)>,
    /// The profile, and what else is written in the manifest.
    profile: String,
    lock: Option<PathBuf>,
    /// Where the scratch crate and its target directory are.
    directory: PathBuf,
    /// Where cargo is run, so that it finds the user's configuration.
    from: PathBuf,
    /// Whether the directory is removed after a success.
    is_temporary: bool,
}

/// What a run of the program has printed.
#[derive(Default)]
pub struct Printed {
    /// How many points there are, how many have been left out, and at how many the function panics.
    pub points: [usize; 3],
    /// The range of what has none.
    pub usual: [f64; 2],
    /// The variants that give something else than the first.
    pub differ: Vec<usize>,
    /// The times.
    pub rounds: Build,
}

impl Package {
    /// The package that a file is in, if it is in one.
    ///
    /// # Errors
    /// Where its manifest cannot be read.
    pub fn of(file: &Path) -> Result<Self, String> {
        let file = file.canonicalize().map_err(|error| format!("{}: {error}", file.display()))?;
        let above = file.ancestors().skip(1);
        let manifest = above.map(|directory| directory.join("Cargo.toml")).find(|path| path.exists());
        let from = file.parent().unwrap_or(Path::new("/")).to_path_buf();
        let temporary = || std::env::temp_dir().join(format!("jacobian-tune-{}", std::process::id()));
        let alone = Package {
            edition: "2024".to_string(),
            dependencies: Vec::new(),
            profile: String::new(),
            lock: None,
            directory: temporary(),
            from: from.clone(),
            is_temporary: true,
        };
        let Some(manifest) = manifest else { return Ok(alone) };
        let mut command = cargo();
        command.args(["metadata", "--no-deps", "--format-version", "1", "--manifest-path"]).arg(&manifest);
        let output = run(command.current_dir(&from))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let metadata: Value = serde_json::from_str(&text).map_err(|error| format!("cargo metadata: {error}"))?;
        let path = |value: &Value| PathBuf::from(value.as_str().unwrap_or_default());
        let packages = metadata["packages"].as_array().into_iter().flatten();
        let is_its = |package: &&Value| path(&package["manifest_path"]) == manifest;
        let Some(package) = packages.into_iter().find(is_its) else { return Ok(alone) };
        let root = path(&metadata["workspace_root"]);
        let manifest = std::fs::read_to_string(root.join("Cargo.toml")).unwrap_or_default();
        let dependencies = package["dependencies"].as_array().into_iter().flatten();
        Ok(Package {
            edition: package["edition"].as_str().unwrap_or("2024").to_string(),
            dependencies: dependencies
                .filter(|one| one["kind"] != "build" && one["name"] != "jacobian-ad")
                .map(dependency)
                .collect(),
            profile: profile(&manifest),
            lock: Some(root.join("Cargo.lock")).filter(|lock| lock.exists()),
            directory: path(&metadata["target_directory"]).join("jacobian-tune"),
            from,
            is_temporary: false,
        })
    }

    /// Where the crate is.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Removes what nobody needs who has not been told of it.
    pub fn clear(&self) {
        if self.is_temporary {
            let _ = std::fs::remove_dir_all(&self.directory);
        }
    }

    /// Writes the crate, and builds it.
    ///
    /// # Errors
    /// Where it cannot be written, and where rustc refuses it: what it says.
    pub fn build(&self, code: &syn::File, module: &[String]) -> Result<(), String> {
        let failed = |error: std::io::Error| format!("{}: {error}", self.directory.display());
        std::fs::create_dir_all(self.directory.join("src")).map_err(failed)?;
        let mut found = HashSet::new();
        names(code.to_token_stream(), &mut found);
        let needed = self.dependencies.iter().filter(|(name, _)| found.contains(name)).map(|(_, text)| text.as_str());
        let manifest = format!(
            "[package]\nname = \"jacobian-tuned\"\nversion = \"0.0.0\"\nedition = \"{}\"\n\n[workspace]\n\n\
             [dependencies]\n{}\n{}",
            self.edition,
            needed.collect::<String>(),
            self.profile
        );
        let path = module.iter().map(|name| format!("{name}::")).collect::<String>();
        let main = format!(
            "#![allow(warnings)]\n\nmod jacobian_tune;\n\n{}\nfn main() {{\n    crate::{path}jacobian_tune_all();\n}}\n",
            prettyplease::unparse(code)
        );
        for (name, text) in [("Cargo.toml", &manifest[..]), ("src/jacobian_tune.rs", RUNTIME), ("src/main.rs", &main)] {
            std::fs::write(self.directory.join(name), text).map_err(failed)?;
        }
        if let Some(lock) = &self.lock {
            std::fs::copy(lock, self.directory.join("Cargo.lock")).map_err(failed)?;
        }
        run(self.cargo("build").arg("--quiet")).map(drop).map_err(|error| {
            format!(
                "{error}\nthe function is built with what it needs of its file, and with the dependencies of its \
                 package; what is in other files of the crate is not there: see {}",
                self.directory.display()
            )
        })
    }

    /// Runs the program.
    ///
    /// # Errors
    /// Where it fails, or refuses the points.
    pub fn run(&self, rounds: usize, count: usize, seed: usize, points: Option<&Path>) -> Result<Printed, String> {
        let mut command = self.cargo("run");
        command.arg("--quiet").arg("--").args([rounds, count, seed].map(|number| number.to_string()));
        if let Some(points) = points {
            command.arg(points.canonicalize().map_err(|error| format!("{}: {error}", points.display()))?);
        }
        read(&String::from_utf8_lossy(&run(&mut command)?.stdout))
    }

    fn cargo(&self, action: &str) -> Command {
        let mut command = cargo();
        command.args([action, "--release", "--manifest-path"]).arg(self.directory.join("Cargo.toml"));
        command.arg("--target-dir").arg(self.directory.join("target")).current_dir(&self.from);
        command
    }
}

/// What the program has printed.
fn read(text: &str) -> Result<Printed, String> {
    let mut printed = Printed::default();
    for line in text.lines() {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let numbers = rest.split(' ').filter_map(|word| word.parse::<f64>().ok()).collect::<Vec<_>>();
        match word {
            "refused" => return Err(rest.to_string()),
            "points" if numbers.len() == 5 => {
                printed.points = [0, 1, 2].map(|index| numbers[index] as usize);
                printed.usual = [numbers[3], numbers[4]];
            }
            "differs" => printed.differ.extend(numbers.iter().map(|index| *index as usize)),
            "round" => printed.rounds.push(numbers),
            // What the function itself prints.
            _ => {}
        }
    }
    printed.differ.dedup();
    Ok(printed)
}

fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

fn run(command: &mut Command) -> Result<Output, String> {
    let output = command.output().map_err(|error| format!("cargo: {error}"))?;
    match output.status.success() {
        true => Ok(output),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

/// A dependency as cargo describes it: its name in the code, and its line in a manifest.
fn dependency(one: &Value) -> (String, String) {
    let text = |key: &str| one[key].as_str().filter(|text| !text.is_empty());
    let name = text("name").unwrap_or_default();
    let key = text("rename").unwrap_or(name);
    let mut parts = vec![format!("package = {name:?}")];
    if let Some(path) = text("path") {
        parts.push(format!("path = {path:?}"));
    } else if let Some(address) = text("source").and_then(|source| source.strip_prefix("git+")) {
        let (address, query) = address.split('#').next().unwrap_or(address).split_once('?').unwrap_or((address, ""));
        parts.push(format!("git = {address:?}"));
        if let Some((kind @ ("branch" | "tag" | "rev"), value)) = query.split_once('=') {
            parts.push(format!("{kind} = {value:?}"));
        }
    }
    if let Some(version) = text("req").filter(|version| *version != "*") {
        parts.push(format!("version = {version:?}"));
    }
    parts.push(format!("default-features = {}", one["uses_default_features"] != false));
    parts.push(format!("features = {}", one["features"]));
    (key.replace('-', "_"), format!("{key} = {{ {} }}\n", parts.join(", ")))
}

/// The profile `release` of a manifest.
fn profile(manifest: &str) -> String {
    let (mut text, mut is_in) = (String::new(), false);
    for line in manifest.lines() {
        if line.trim_start().starts_with('[') {
            is_in = line.trim() == "[profile.release]";
        }
        if is_in {
            text += line;
            text.push('\n');
        }
    }
    text
}

/// A file of Rust.
///
/// # Panics
/// If it is none.
pub fn parsed(tokens: TokenStream) -> Vec<syn::Item> {
    syn::parse2::<syn::File>(tokens).expect("what is generated is Rust").items
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependencies_are_written_as_they_are_in_the_manifest() {
        let one: Value = serde_json::from_str(
            r#"{"name": "nalgebra", "rename": "na-lg", "req": "^0.34", "uses_default_features": false,
                "features": ["std"], "source": "registry+https://github.com/rust-lang/crates.io-index"}"#,
        )
        .unwrap();
        let line =
            "na-lg = { package = \"nalgebra\", version = \"^0.34\", default-features = false, features = [\"std\"] }\n";
        assert_eq!(dependency(&one), ("na_lg".to_string(), line.to_string()));
        let one: Value = serde_json::from_str(
            r#"{"name": "a", "req": "*", "features": [], "source": "git+https://host/a?branch=b#0123"}"#,
        )
        .unwrap();
        let line = "a = { package = \"a\", git = \"https://host/a\", branch = \"b\", default-features = true, features = [] }\n";
        assert_eq!(dependency(&one).1, line);
    }

    #[test]
    fn the_profile_is_the_users() {
        let manifest = "[package]\nname = \"a\"\n[profile.release]\nlto = true\n\n[profile.dev]\nopt-level = 1\n";
        assert_eq!(profile(manifest), "[profile.release]\nlto = true\n\n");
    }

    #[test]
    fn what_is_printed_is_read() {
        let printed = read("hello\npoints 5 1 2 -1 1\ndiffers 3\nround 1 2.5\nround 2 3\n").unwrap();
        assert_eq!((printed.points, printed.usual, printed.differ), ([5, 1, 2], [-1.0, 1.0], vec![3]));
        assert_eq!(printed.rounds, [[1.0, 2.5], [2.0, 3.0]]);
        assert_eq!(read("refused points.txt:1: no").map(|_| ()), Err("points.txt:1: no".to_string()));
    }
}
