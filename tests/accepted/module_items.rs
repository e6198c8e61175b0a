//! Constants and statics of the module whose types have methods there, and elements of them.

use jacobian::jacobian;

use crate::differences;

#[jacobian]
mod gears {
    #[derive(Clone, Copy, PartialEq)]
    pub enum Joint {
        Revolute,
        Prismatic,
        Fixed,
    }

    impl Joint {
        pub const ALL: [Joint; 3] = [Joint::Revolute, Joint::Prismatic, Joint::Fixed];

        pub fn position(self, q: f64) -> f64 {
            match self {
                Joint::Revolute => q.sin(),
                Joint::Prismatic => q * q,
                Joint::Fixed => 1.0,
            }
        }

        pub fn read(letter: char) -> Option<Self> {
            match letter {
                'r' => Some(Joint::Revolute),
                'p' => Some(Joint::Prismatic),
                _ => None,
            }
        }
    }

    /// Passive as a whole: it has a `String`.
    pub struct Gear {
        pub name: String,
        pub ratio: f64,
        pub joint: Joint,
    }

    impl Gear {
        pub fn output(&self, q: f64) -> f64 {
            self.ratio * self.joint.position(q) + self.name.len() as f64
        }
    }

    #[derive(Clone, Copy)]
    pub struct Line {
        slope: f64,
        offset: f64,
    }

    impl Line {
        const UNIT: Line = Line { slope: 1.0, offset: 0.5 };

        fn at(&self, q: f64) -> f64 {
            self.slope * q * q + self.offset
        }
    }

    static ONE: Gear = Gear { name: String::new(), ratio: 2.5, joint: Joint::Revolute };
    static GEARS: [Gear; 2] = [
        Gear { name: String::new(), ratio: 1.5, joint: Joint::Prismatic },
        Gear { name: String::new(), ratio: 0.5, joint: Joint::Revolute },
    ];
    static LINE: Line = Line { slope: 2.0, offset: 1.0 };
    static LINES: [Line; 2] = [Line { slope: 1.0, offset: 2.0 }, Line { slope: -1.0, offset: 0.0 }];
    const TABLE: [Line; 2] = [Line { slope: 3.0, offset: 2.0 }, Line { slope: -2.0, offset: 1.0 }];

    #[jacobian]
    pub fn chosen(q: f64, k: usize) -> f64 {
        let joint = if k.is_multiple_of(3) { Joint::Revolute } else { Joint::Fixed };
        let other = match k {
            0 => Joint::Prismatic,
            _ => joint,
        };
        joint.position(q) * other.position(q) + (if k > 2 { joint } else { other }).position(q)
    }

    #[jacobian]
    pub fn of_type(q: f64, k: usize) -> f64 {
        let mut sum = Joint::ALL[k % 3].position(q) * Line::UNIT.at(q);
        for joint in Joint::ALL {
            sum += joint.position(q);
        }
        sum + Joint::ALL.iter().map(|joint| joint.position(q)).sum::<f64>()
    }

    #[jacobian]
    pub fn of_statics(q: f64, k: usize) -> f64 {
        let gear = &GEARS[k % 2];
        let mut sum = ONE.output(q) * GEARS[k % 2].output(q) + gear.output(q);
        for gear in &GEARS {
            sum += gear.output(q);
        }
        sum + GEARS.iter().map(|gear| gear.output(q)).sum::<f64>() + GEARS.get(k).map_or(q, |gear| gear.output(q))
    }

    #[jacobian]
    pub fn of_lines(q: f64, k: usize) -> f64 {
        let sum = LINES.iter().map(|line| line.at(q)).sum::<f64>() + TABLE.iter().map(|line| line.at(q)).sum::<f64>();
        LINE.at(q) * LINES[k % 2].at(q) + TABLE[k % 2].at(q) * sum + LINE.slope * q
    }

    #[jacobian]
    pub fn read_from(q: f64, letters: &[char]) -> f64 {
        let mut sum = 0.0;
        for &letter in letters {
            if let Some(joint) = Joint::read(letter) {
                sum += joint.position(q);
            }
        }
        let first = Joint::read(letters[0]).map_or(q, |joint| joint.position(q));
        let Some(last) = Joint::read(letters[letters.len() - 1]) else { return first };
        sum * first + last.position(q)
    }

    #[jacobian]
    pub fn of_slice(q: f64, joints: &[Joint], k: usize) -> f64 {
        let moving = joints.iter().filter(|joint| **joint != Joint::Fixed).map(|joint| joint.position(q)).sum::<f64>();
        let found = joints.iter().copied().find(|joint| *joint != Joint::Revolute);
        moving * found.map_or(q, |joint| joint.position(q))
            + joints.get(k).copied().unwrap_or(Joint::Prismatic).position(q)
    }
}

#[test]
fn methods_of_items() {
    use gears::*;
    for k in 0..5 {
        differences(|[q]| chosen(q, k), |[q]| chosen_jac(q, k), [0.7]);
        differences(|[q]| of_type(q, k), |[q]| of_type_jac(q, k), [0.7]);
        differences(|[q]| of_statics(q, k), |[q]| of_statics_jac(q, k), [0.7]);
        differences(|[q]| of_lines(q, k), |[q]| of_lines_jac(q, k), [0.7]);
        let joints = [Joint::Fixed, Joint::Revolute, Joint::Prismatic];
        differences(|[q]| of_slice(q, &joints, k), |[q]| of_slice_jac(q, &joints, k), [0.7]);
    }
    for letters in [['r', 'p'], ['p', 'x'], ['x', 'r']] {
        differences(|[q]| read_from(q, &letters), |[q]| read_from_jac(q, &letters), [0.7]);
    }
}
