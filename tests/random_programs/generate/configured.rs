//! Functions of modules that are configured, and others of their names that are not there.

use super::super::tree::*;
use super::Generator;
use super::feature::Feature;

impl Generator {
    /// The functions, some of them beside one of the same name that is not there.
    pub fn configured(&mut self, functions: Vec<Function>) -> Vec<Function> {
        if !self.is_module || !self.has(Feature::Configured) {
            return functions;
        }
        let mut configured = Vec::new();
        for mut function in functions {
            // Which of them is called where its derivative is needed, a macro may refuse to say.
            let is_inlined = function.name.starts_with("member");
            // Those of structs have no Jacobian that could be called, nor have those that take closures.
            let is_of_floats = is_of_floats(&function.result)
                && function.parameters.iter().all(|parameter| is_of_floats(&parameter.ty));
            let percent = match is_inlined {
                _ if !is_of_floats && &*function.name != "f" => 0,
                false => 60,
                true if self.may_configure_members() => 30,
                true => 0,
            };
            if self.random.percent(percent) {
                configured.push(self.absent(&function));
                function.cfg = Some(*self.random.pick(&Cfg::PRESENT.each_ref()));
            }
            configured.push(function);
        }
        configured
    }

    /// Whether functions that are inlined may be configured. A macro that does not know which of them is called does
    /// not know the type of what they return, either, where nothing says it.
    pub fn may_configure_members(&self) -> bool {
        self.is_module && !self.is_small && self.has(Feature::Configured)
    }

    /// A function of the same name that is not there: it would give another value.
    fn absent(&mut self, function: &Function) -> Function {
        let value = wrong(&function.result);
        let body = Block { statements: Vec::new(), value: Some(Box::new(value)) };
        let cfg = Some(*self.random.pick(&Cfg::ABSENT.each_ref()));
        Function { cfg, body, ..function.clone() }
    }
}

/// Whether a type holds neither structs nor closures.
fn is_of_floats(ty: &Type) -> bool {
    match ty {
        Type::Reference(inner) | Type::Array(inner, _) => is_of_floats(inner),
        Type::Tuple(elements) => elements.iter().all(is_of_floats),
        ty => !matches!(
            ty,
            Type::Struct(_)
                | Type::Option(_)
                | Type::Exclusive(_)
                | Type::Closure(_)
                | Type::Sized(..)
                | Type::Parameter(_)
        ),
    }
}

/// A value of a type of floats.
fn wrong(ty: &Type) -> Expression {
    match ty {
        Type::Array(element, length) => Expression::repeated(wrong(element), Expression::usize(*length)),
        Type::Tuple(elements) => Expression::Tuple(elements.iter().map(wrong).collect()),
        Type::Struct(own) => {
            let fields = own.fields.iter().map(|(field, ty)| (field.clone(), wrong(ty))).collect();
            Expression::Struct(own.name.clone(), fields, None)
        }
        ty if ty.has_integers() => Expression::integer(7, ty.clone()),
        _ => Expression::Float(77.0),
    }
}
