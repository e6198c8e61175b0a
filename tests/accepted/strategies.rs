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

/// Orders that are given: the vertices are numbered after the two columns.
macro_rules! orders_give_the_same {
    ($($test:ident: $strategy:literal;)*) => { $(
        #[test]
        fn $test() {
            #[jacobian(strategy = $strategy, name = "jac")]
            fn f(x: [f64; 2]) -> [f64; 2] {
                let r = (x[0] * x[0] + x[1]).sqrt();
                [r.sin() * x[1], r.cos()]
            }
            crate::differences(f, jac, [0.3, 0.4]);
        }
    )* };
}

orders_give_the_same! {
    vertices_one_by_one: "vertex: order(4, 2, 3, 5)";
    edges_one_by_one: "edge: order((4,5)b, (4,7)b, (0,2)f, 3, 5)";
    faces_one_by_one: "face: order((4,5,6), 2, 3, 4)";
}

/// The sides of a branch have graphs of their own.
#[test]
fn an_order_is_that_of_the_graph_around_a_branch() {
    #[jacobian(strategy = "vertex: order(3, 2)")]
    fn f(x: [f64; 2]) -> f64 {
        let y = x[0] * x[1];
        let z = if x[0] > 0.0 { (y.sin() * x[1]).exp() } else { y };
        z * x[1]
    }
    crate::differences(f, f_jac, [0.3, 0.4]);
    crate::differences(f, f_jac, [-0.3, 0.4]);
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
