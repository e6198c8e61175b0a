//! Every way to order the operations gives the same Jacobian.

use jacobian::jacobian;

macro_rules! gives_the_same {
    ($($test:ident: $($option:ident = $value:literal),*;)*) => { $(
        #[test]
        fn $test() {
            #[jacobian($($option = $value,)* name = "jac")]
            fn f(x: [f64; 3]) -> [f64; 4] {
                let s = x[0] * x[1] + x[2].sin();
                let t = (s * x[0] - 2.0 * x[1]) * s;
                [t.exp() * s, t, x[2], (t - x[1]) / s]
            }
            crate::differences(f, jac, [0.3, 0.4, 0.5]);
        }
    )* };
}

gives_the_same! {
    auto: strategy = "auto";
    forward: strategy = "forward";
    reverse: strategy = "reverse";
    markowitz: strategy = "markowitz";
    vlr: strategy = "vlr";
    locality: strategy = "locality";
    paths: strategy = "paths";
    vertices: strategy = " vertex : pre > fill > lmmd ";
    edges: strategy = "edge: sibling > markowitz";
    faces: strategy = "face: final > absorb > reverse";
    statements: linearize = "statement";
    statements_by_faces: strategy = "face: vertex > markowitz", linearize = "statement";
    source: schedule = "source";
    depth_first: schedule = "depth-first", strategy = "forward";
    list: schedule = "list";
    weighted_list: schedule = "list(b = 3, a = 2)", strategy = "edge: markowitz";
    pressure: schedule = "pressure", linearize = "statement";
    operations: linearize = "code-list", strategy = "edge: forward";
}
