//! A table of joints whose kinds are known: there is no `match` and no condition in what is generated.

use jacobian::jacobian;

#[jacobian]
pub mod arm {
    #[derive(Clone, Copy, PartialEq)]
    pub enum Kind {
        Turning,
        Sliding,
        Fixed,
    }

    pub struct Joint {
        pub kind: Kind,
        pub length: f64,
    }

    const JOINTS: [Joint; 3] = [
        Joint { kind: Kind::Turning, length: 0.5 },
        Joint { kind: Kind::Fixed, length: 0.25 },
        Joint { kind: Kind::Sliding, length: 0.0 },
    ];

    impl Joint {
        fn moved(&self, p: [f64; 2], q: f64) -> [f64; 2] {
            let [x, y] = p;
            match self.kind {
                Kind::Turning => [x * q.cos() - y * q.sin(), x * q.sin() + y * q.cos()],
                Kind::Sliding => [x + q, y],
                Kind::Fixed => [x + self.length, y],
            }
        }
    }

    #[jacobian]
    pub fn tip(q: [f64; 3]) -> [f64; 2] {
        let mut p = [0.0, 0.0];
        for (joint, q) in JOINTS.iter().zip(q).rev() {
            if joint.kind != Kind::Fixed {
                p[0] += joint.length;
            }
            p = joint.moved(p, q);
        }
        p
    }
}

fn main() {
    let q = [0.5, 0.25, 2.0];
    assert_eq!(arm::tip_jac(q), expansion::arm::tip_jac(q));
    assert_eq!(arm::tip_jac(q).0, arm::tip(q));
}

/// What the attribute makes of it, written by `UPDATE_EXPANSIONS=1 cargo test --test pass`.
mod expansion {
    pub mod arm {
        #[derive(Clone, Copy, PartialEq)]
        pub enum Kind {
            Turning,
            Sliding,
            Fixed,
        }
        pub struct Joint {
            pub kind: Kind,
            pub length: f64,
        }
        const JOINTS: [Joint; 3] = [
            Joint {
                kind: Kind::Turning,
                length: 0.5,
            },
            Joint {
                kind: Kind::Fixed,
                length: 0.25,
            },
            Joint {
                kind: Kind::Sliding,
                length: 0.0,
            },
        ];
        impl Joint {
            fn moved(&self, p: [f64; 2], q: f64) -> [f64; 2] {
                let [x, y] = p;
                match self.kind {
                    Kind::Turning => {
                        [x * q.cos() - y * q.sin(), x * q.sin() + y * q.cos()]
                    }
                    Kind::Sliding => [x + q, y],
                    Kind::Fixed => [x + self.length, y],
                }
            }
        }
        #[allow(dead_code)]
        pub fn tip(q: [f64; 3]) -> [f64; 2] {
            let mut p = [0.0, 0.0];
            for (joint, q) in JOINTS.iter().zip(q).rev() {
                if joint.kind != Kind::Fixed {
                    p[0] += joint.length;
                }
                p = joint.moved(p, q);
            }
            p
        }
        /// Returns the value of `tip` and its Jacobian: `(value, jacobian)`.
        ///
        /// `jacobian[i][j]`: the partial derivative of float `i` of 2 of the result with respect to column `j` of 3.
        ///
        /// Columns:
        ///
        /// - 0 to 2: the floats of `q` in order
        ///
        /// Of 6 entries, 4 are not zero by structure:
        ///
        /// ```text
        /// *.*
        /// *.*
        /// ```
        ///
        /// Operations:
        ///
        /// - `tip`: 13 operations (4 multiplications, 5 additions, 4 calls)
        /// - with the Jacobian: 12 operations (4 multiplications, 5 additions, 1 negation, 2 calls)
        /// - elimination: 2 multiplications; forward 2, reverse 2, no order below that
        /// - strategy: `vertex: reverse` (the cheapest that `auto` has found), in the order `vertex: order(10, 8, 7, 6, 5, 4, 3)` (3 `p_0`, 4 `p_0`, 5 `p`), its statements ordered by `latency`
        ///
        /// Generated for `tip`: `tip_jac`.
        #[inline]
        pub fn tip_jac(
            q: [f64; 3],
        ) -> ([::core::primitive::f64; 2], [[::core::primitive::f64; 3]; 2]) {
            let dp_0_dp = q[0].cos();
            let dp_1_dp = q[0].sin();
            let p = [0.0_f64, 0.0_f64];
            const _: () = ::core::assert!(
                ! ::core::mem::needs_drop:: < self::Joint > ()
            );
            let joint = &JOINTS[2];
            let [_, p_1] = [p[0], p[0] + joint.length];
            let p_0: f64 = p_1;
            let x = p_0;
            let x_1: ::core::primitive::f64 = x;
            let p_0_1 = x_1 + q[2];
            let p_0_2 = p_0_1 + 0.25;
            let v11 = 0.0 * dp_0_dp;
            let p_2 = p_0_2 + 0.5;
            let dp_1_dq_0 = p_2 * dp_0_dp;
            let v14 = 0.0 * dp_1_dp;
            let dp_0_dq_0 = p_2 * dp_1_dp;
            let p_0_3 = dp_1_dq_0 - v14;
            let p_1_1 = dp_0_dq_0 + v11;
            let v18 = -dp_0_dq_0;
            ([p_0_3, p_1_1], [[v18, 0.0, dp_0_dp], [dp_1_dq_0, 0.0, dp_1_dp]])
        }
    }
}
