#![doc = include_str!("../docs/labels.md")]
#![doc = include_str!("../README.md")]
#![no_std]

pub use jacobian_macro::jacobian;

#[doc = include_str!("../docs/labels.md")]
#[doc = include_str!("../docs/guide.md")]
pub mod guide {}

#[doc = include_str!("../docs/labels.md")]
#[doc = include_str!("../LANGUAGE.md")]
pub mod language {}

#[doc = include_str!("../docs/labels.md")]
#[doc = include_str!("../docs/forms.md")]
pub mod forms {}

#[doc = include_str!("../docs/labels.md")]
#[cfg_attr(doc, doc = include_str!("../docs/images/labels.md"))]
#[doc = include_str!("../docs/command.md")]
pub mod command {}

#[doc = include_str!("../docs/labels.md")]
#[doc = include_str!("../docs/recipes.md")]
pub mod recipes {}

#[doc = include_str!("../docs/labels.md")]
#[doc = include_str!("../docs/strategies.md")]
pub mod strategies {}

#[doc = include_str!("../docs/labels.md")]
#[doc = include_str!("../docs/schedules.md")]
pub mod schedules {}

#[doc = include_str!("../docs/labels.md")]
#[doc = include_str!("../docs/schedules_figures.md")]
pub mod schedules_figures {}

#[doc = include_str!("../docs/labels.md")]
#[doc = include_str!("../docs/auto.md")]
pub mod auto {}

#[doc = include_str!("../docs/labels.md")]
#[doc = include_str!("../docs/hessians.md")]
pub mod hessians {}

#[doc = include_str!("../docs/labels.md")]
#[doc = include_str!("../docs/minimal.md")]
pub mod minimal {}

#[doc = include_str!("../docs/labels.md")]
#[doc = include_str!("../docs/accuracy.md")]
pub mod accuracy {}

#[doc = include_str!("../docs/labels.md")]
#[doc = include_str!("../docs/checks.md")]
pub mod checks {}

#[doc = include_str!("../docs/labels.md")]
#[doc = include_str!("../docs/architecture.md")]
pub mod architecture {}
