//! The tests of `accepted/vectors.rs` with other versions of nalgebra than that of this workspace.

use std::fs;
use std::path::Path;
use std::process::Command;

/// The versions.
const VERSIONS: [&str; 2] = ["0.33", "0.35"];

/// The main file of the tests without their other modules.
fn main_file() -> String {
    let is_kept = |line: &&str| !line.starts_with("mod ") || *line == "mod vectors;";
    include_str!("accepted/main.rs").lines().filter(is_kept).collect::<Vec<_>>().join("\n")
}

#[test]
#[ignore = "fetches and builds other versions of nalgebra"]
fn vectors_of_other_versions() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for version in VERSIONS {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("nalgebra-{version}"));
        let write = |path: &str, text: &str| {
            let path = directory.join(path);
            fs::create_dir_all(path.parent().expect("a file is in a directory")).expect("a directory can be made");
            fs::write(path, text).expect("the crate can be written");
        };
        write(
            "Cargo.toml",
            &format!(
                "[package]\nname = \"vectors\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n\
                 jacobian-ad = {{ path = {root:?} }}\nnalgebra = \"{version}\"\n"
            ),
        );
        write("src/lib.rs", "");
        write("tests/accepted/main.rs", &main_file());
        write("tests/accepted/vectors.rs", include_str!("accepted/vectors.rs"));
        let mut cargo = Command::new(env!("CARGO"));
        cargo.arg("test").current_dir(&directory).env_remove("CARGO_TARGET_DIR");
        let output = cargo.output().expect("cargo can be run");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{version}: {text}{}", String::from_utf8_lossy(&output.stderr));
        assert!(text.contains("products ... ok"), "{version}: {text}");
    }
}
