//! Searches over data for what is nearest, with what is passive beside the distance: references, enums, structs.

use jacobian::jacobian;

use crate::differences;

#[jacobian]
mod nearest {
    #[derive(Clone, Copy, PartialEq)]
    pub enum Kind {
        Corner,
        Edge,
    }

    pub struct Landmark {
        pub id: u32,
        pub at: [f64; 2],
    }

    /// One that no literal can be made of.
    pub struct Named {
        pub at: f64,
        pub name: String,
        pub tags: Vec<u8>,
        pub scale: Option<f64>,
        pub inner: Inner,
        pub label: &'static str,
    }

    #[derive(Default)]
    pub struct Inner {
        pub k: f64,
        pub names: [String; 2],
        pub pair: (bool, char),
    }

    impl Named {
        fn size(&self) -> u8 {
            let Inner { names, pair, .. } = &self.inner;
            self.tags[0] + (names[0].len() + self.label.len()) as u8 + u8::from(pair.0 && pair.1 == ' ')
        }
    }

    #[jacobian(wrt(x))]
    pub fn of_named(x: f64, all: &[Named]) -> f64 {
        let mut best: Option<(f64, &Named)> = None;
        for named in all {
            let distance = (x - named.at).powi(2);
            if best.as_ref().is_none_or(|(least, _)| distance < *least) {
                best = Some((distance, named));
            }
        }
        match &best {
            Some((distance, named)) if named.name.len() > 2 => distance * named.scale.unwrap_or(2.0),
            Some((distance, named)) => *distance * named.inner.k + f64::from(named.size()),
            None => x,
        }
    }

    #[derive(Clone, Copy)]
    pub struct Point {
        pub at: [f64; 2],
    }

    #[jacobian(wrt(x))]
    pub fn of_arrays(x: f64, data: &[[f64; 2]]) -> f64 {
        let mut best: Option<(f64, &[f64; 2])> = None;
        for point in data {
            let distance = (x - point[0]).powi(2);
            if best.is_none_or(|(least, _)| distance < least) {
                best = Some((distance, point));
            }
        }
        best.map_or(0.0, |(distance, point)| distance * point[1])
    }

    #[jacobian(wrt(x))]
    pub fn of_floats(x: f64, data: &[f64]) -> f64 {
        let mut best = None;
        for v in data {
            let distance = (x - v).powi(2);
            if best.is_none_or(|(least, _)| distance < least) {
                best = Some((distance, v));
            }
        }
        let (distance, v) = data.iter().map(|v| ((x - v).powi(2), v)).min_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
        best.map_or(0.0, |(distance, v)| distance * v) + distance * v
    }

    #[jacobian(wrt(x))]
    pub fn of_kinds(x: f64, data: &[(f64, Kind)]) -> f64 {
        let mut best: Option<(f64, Kind)> = None;
        for &(v, kind) in data {
            let distance = (x - v).powi(2);
            if best.is_none_or(|(least, _)| distance < least) {
                best = Some((distance, kind));
            }
        }
        match best {
            Some((distance, Kind::Corner)) => distance,
            Some((distance, Kind::Edge)) => distance * x,
            None => x,
        }
    }

    #[jacobian(wrt(x))]
    pub fn by_chains(x: f64, data: &[(f64, Kind)]) -> f64 {
        let nearest = data.iter().map(|&(v, kind)| ((x - v).powi(2), kind)).min_by(|a, b| a.0.total_cmp(&b.0));
        let (distance, kind) =
            data.iter().map(|(v, kind)| ((x - v).powi(2), kind)).max_by(|a, b| a.0.partial_cmp(&b.0).unwrap()).unwrap();
        let signed = nearest.map_or(0.0, |(distance, kind)| if kind == Kind::Corner { distance } else { -distance });
        signed
            + match kind {
                Kind::Corner => distance,
                Kind::Edge => -distance,
            }
    }

    #[jacobian(wrt(x))]
    pub fn first(x: f64, data: &[(f64, Kind)]) -> f64 {
        let mut hit = None;
        for (v, kind) in data {
            let scaled = v * x;
            if scaled > 0.35 {
                hit = Some((scaled, *kind));
                break;
            }
        }
        if let Some((v, kind)) = hit
            && kind == Kind::Corner
        {
            v
        } else {
            x
        }
    }

    #[derive(Clone, Copy, PartialEq)]
    pub enum Source {
        #[cfg(any())]
        Radar,
        Lidar,
        Camera,
    }

    #[jacobian(wrt(x))]
    pub fn of_windows(x: f64, data: &[f64], sources: &[Source]) -> f64 {
        let mut best: Option<(f64, &[f64])> = None;
        for pair in data.windows(2) {
            let distance = (x - pair[0]).powi(2);
            if best.is_none_or(|(least, _)| distance < least) {
                best = Some((distance, pair));
            }
        }
        let mut last: Option<(f64, &Source)> = None;
        for (source, v) in sources.iter().zip(data) {
            if x > *v {
                last = Some((x * v, source));
            }
        }
        let second = last.map_or(x, |(v, source)| if *source == Source::Camera { v } else { -v });
        second + best.map_or(0.0, |(distance, pair)| distance * pair[1])
    }

    fn found(x: f64, kinds: &[Kind]) -> Option<(f64, Kind)> {
        for (i, kind) in kinds.iter().enumerate() {
            if *kind == Kind::Corner && x > i as f64 {
                return Some((x * (i + 1) as f64, *kind));
            }
        }
        None
    }

    fn or_last(x: f64, kinds: &[Kind]) -> (f64, Kind) {
        for kind in kinds {
            if *kind == Kind::Corner && x > 0.3 {
                return (x * x, *kind);
            }
        }
        (x, Kind::Edge)
    }

    fn behind(x: f64, points: &[[f64; 2]]) -> Option<(f64, &[f64; 2])> {
        for point in points {
            if x > point[0] {
                return Some((x * point[0], point));
            }
        }
        None
    }

    #[jacobian(wrt(x))]
    pub fn by_helpers(x: f64, kinds: &[Kind], points: &[[f64; 2]]) -> f64 {
        let first = match found(x, kinds) {
            Some((v, Kind::Corner)) => v,
            Some((v, Kind::Edge)) => v * v,
            None => x,
        };
        let (v, kind) = or_last(x, kinds);
        let second = if kind == Kind::Corner { v } else { v * v };
        first * second + behind(x, points).map_or(0.0, |(v, point)| v * point[1])
    }

    #[jacobian(wrt(x))]
    pub fn of_landmarks(x: [f64; 2], landmarks: &[Landmark], points: &[Point]) -> f64 {
        let mut best: Option<(f64, &Landmark)> = None;
        for landmark in landmarks {
            let distance = (x[0] - landmark.at[0]).hypot(x[1] - landmark.at[1]);
            match best {
                Some((least, _)) if distance >= least => {}
                _ => best = Some((distance, landmark)),
            }
        }
        let mut last: Option<(f64, &Point)> = None;
        for point in points {
            if point.at[0] < x[0] {
                last = Some((x[0] - point.at[0], point));
            }
        }
        best.map_or(0.0, |(distance, landmark)| distance * landmark.at[1] + f64::from(landmark.id))
            + last.map_or(1.0, |(gap, point)| gap * point.at[1])
    }
}

#[test]
fn what_is_passive_beside_the_least_distance() {
    use nearest::*;
    let arrays = [[0.1, 0.2], [0.6, 0.7], [2.0, 0.3]];
    let kinds = [(0.1, Kind::Edge), (0.6, Kind::Corner), (3.0, Kind::Edge)];
    let landmarks = [Landmark { id: 3, at: [0.1, 0.2] }, Landmark { id: 5, at: [0.9, 0.4] }];
    let points = arrays.map(|at| Point { at });
    let named = |at: f64, name: &str| Named {
        at,
        name: name.into(),
        tags: vec![1],
        scale: Some(0.5),
        inner: Inner { k: at, ..Inner::default() },
        label: "one",
    };
    let named = [named(0.1, "long"), named(0.95, "a"), named(2.0, "other")];
    for x in [0.5, 0.2, -1.0] {
        for n in 0..3 {
            let (a, k) = (&arrays[n..], &kinds[n..]);
            differences(|[x]| of_arrays(x, a), |[x]| of_arrays_jac(x, a), [x]);
            differences(|[x]| of_kinds(x, k), |[x]| of_kinds_jac(x, k), [x]);
            differences(|[x]| by_chains(x, k), |[x]| by_chains_jac(x, k), [x]);
            differences(|[x]| first(x, k), |[x]| first_jac(x, k), [x]);
            differences(|[x]| of_named(x, &named[..n]), |[x]| of_named_jac(x, &named[..n]), [x]);
            let (data, sources) = ([0.1, 0.6, 0.3], [Source::Camera, Source::Lidar]);
            differences(|[x]| of_windows(x, &data[n..], &sources), |[x]| of_windows_jac(x, &data[n..], &sources), [x]);
            let kinds = kinds.map(|(_, kind)| kind);
            differences(|[x]| by_helpers(x, &kinds[n..], a), |[x]| by_helpers_jac(x, &kinds[n..], a), [x]);
            let (l, p) = (&landmarks[..n], &points[n..]);
            differences(|x| of_landmarks(x, l, p), |x| of_landmarks_jac(x, l, p), [x, 0.33]);
        }
        differences(|[x]| of_floats(x, &[0.1, 0.6]), |[x]| of_floats_jac(x, &[0.1, 0.6]), [x]);
        assert_eq!(of_kinds_jac(x, &[]), (x, [1.0]));
    }
}
