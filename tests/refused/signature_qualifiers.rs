use jacobian::jacobian;

#[jacobian]
async fn asynchronous(x: f64) -> f64 {
    x
}

#[jacobian]
unsafe fn not_safe(x: f64) -> f64 {
    x
}

#[jacobian]
extern "C" fn foreign(x: f64) -> f64 {
    x
}

#[jacobian]
pub extern "system" fn also_foreign(x: f64) -> f64 {
    x
}

struct Counter(u8);

impl Counter {
    #[jacobian]
    fn count(&mut self, x: f64) -> f64 {
        self.0 += 1;
        x
    }

    #[jacobian]
    fn typed(self: &mut Self, x: f64) -> f64 {
        self.0 += 1;
        x
    }
}

fn main() {
    let (_, [_]) = asynchronous_jac(1.0);
    let (_, [_]) = not_safe_jac(1.0);
    let (_, [_]) = foreign_jac(1.0);
    let (_, [_]) = also_foreign_jac(1.0);
    let (_, [_]) = Counter(0).count_jac(1.0);
    let (_, [_]) = Counter(0).typed_jac(1.0);
}
