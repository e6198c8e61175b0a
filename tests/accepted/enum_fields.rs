//! Enums of the module as fields of structs with active values: they are passive, and choose what the methods compute.

use jacobian::jacobian;

use crate::differences;

#[jacobian(forms(jac, jvp, hess))]
mod network {
    #[derive(Clone, Copy, PartialEq, Debug, Default)]
    pub enum Activation {
        #[default]
        Tanh,
        Relu,
        Identity,
    }

    impl Activation {
        pub fn apply(self, x: f64) -> f64 {
            match self {
                Activation::Tanh => x.tanh(),
                Activation::Relu => x.max(0.0),
                Activation::Identity => x,
            }
        }
    }

    #[derive(Clone, Copy, Default)]
    pub struct Layer {
        pub weight: f64,
        pub bias: f64,
        pub activation: Activation,
    }

    impl Layer {
        pub fn output(&self, x: f64) -> f64 {
            self.activation.apply(self.weight * x + self.bias)
        }

        fn with(self, activation: Activation) -> Layer {
            Layer { activation, ..self }
        }

        fn is_smooth(&self) -> bool {
            self.activation != Activation::Relu
        }
    }

    pub struct Network<const N: usize> {
        pub layers: [Layer; N],
    }

    impl<const N: usize> Network<N> {
        pub fn output(&self, x: f64) -> f64 {
            let mut x = x;
            for layer in &self.layers {
                x = layer.output(x);
            }
            x
        }
    }

    fn chosen(x: f64, n: usize) -> Option<Layer> {
        if n > 3 { Some(Layer { weight: x, bias: x, activation: Activation::Relu }) } else { None }
    }

    #[jacobian]
    pub fn constructed(weight: f64, bias: f64, n: usize) -> f64 {
        let activation = if n > 1 { Activation::Tanh } else { Activation::Relu };
        let layer = Layer { weight, bias, activation };
        layer.output(0.5) * layer.with(Activation::Identity).output(weight)
    }

    #[jacobian(wrt(layer.weight, x))]
    pub fn by_field(layer: &Layer, x: f64) -> f64 {
        layer.output(x) * if layer.is_smooth() { 2.0 } else { 1.0 }
    }

    #[jacobian]
    pub fn carried(x: f64, n: usize) -> f64 {
        let mut layer = Layer { weight: x, bias: 1.0, activation: Activation::Identity };
        for i in 0..n {
            layer.weight *= layer.output(0.3);
            layer.activation = if i % 2 == 0 { Activation::Tanh } else { Activation::Relu };
        }
        layer.weight
    }

    #[jacobian]
    pub fn element(x: f64, n: usize) -> f64 {
        let layers = [
            Layer { weight: x, bias: 1.0, activation: Activation::Tanh },
            Layer { weight: x * x, bias: x, activation: Activation::Identity },
        ];
        let folded = layers.iter().fold(x, |sum, layer| layer.output(sum));
        layers[n % 2].output(x) * folded
    }

    #[jacobian]
    pub fn taken(x: f64, n: usize) -> f64 {
        let mut layer = Layer { weight: x, bias: 1.0, activation: Activation::Identity };
        if n > 2 {
            let old = core::mem::take(&mut layer);
            return old.output(x) + layer.output(x);
        }
        let Layer { weight, activation, .. } = layer;
        activation.apply(weight) * chosen(x, n + 2).map_or(0.5, |layer| layer.output(x))
    }

    fn found(n: usize) -> Option<Activation> {
        if n > 2 { Some(Activation::Identity) } else { None }
    }

    /// The field tells what is put into it.
    #[jacobian]
    pub fn told(x: f64, n: usize) -> f64 {
        const FIXED: Layer = Layer { weight: 1.0, bias: 0.2, activation: Activation::Relu };
        let activation = found(n).unwrap_or_default();
        Layer { weight: x, bias: 0.1, activation }.output(x) * Layer { weight: x, ..FIXED }.output(x)
    }

    #[jacobian]
    pub fn network(x: f64, weights: [f64; 3]) -> f64 {
        let layers = weights.map(|weight| Layer { weight, bias: 0.1, activation: Activation::Tanh });
        Network::<3> { layers }.output(x)
    }

    #[jacobian(wrt(x))]
    pub fn passive_network(network: &Network<2>, x: f64) -> f64 {
        network.output(x)
    }
}

#[test]
fn enums_are_passive_fields() {
    use network::*;
    for n in 0..6 {
        differences(|[w, b]| constructed(w, b, n), |[w, b]| constructed_jac(w, b, n), [0.7, 0.3]);
        differences(|[x]| carried(x, n), |[x]| carried_jac(x, n), [0.7]);
        differences(|[x]| element(x, n), |[x]| element_jac(x, n), [0.7]);
        differences(|[x]| taken(x, n), |[x]| taken_jac(x, n), [0.7]);
        differences(|[x]| told(x, n), |[x]| told_jac(x, n), [0.7]);
    }
    for activation in [Activation::Tanh, Activation::Relu, Activation::Identity] {
        let layer = |weight| Layer { weight, bias: 0.1, activation };
        differences(|[w, x]| by_field(&layer(w), x), |[w, x]| by_field_jac(&layer(w), x), [0.3, 0.2]);
        let network = Network { layers: [layer(0.3), layer(0.4)] };
        differences(|[x]| passive_network(&network, x), |[x]| passive_network_jac(&network, x), [0.4]);
    }
    differences(|[x, a, b, c]| network(x, [a, b, c]), |[x, a, b, c]| network_jac(x, [a, b, c]), [0.7, 0.3, 0.4, 0.5]);
    let (_, [gradient], [[second]]) = carried_hess(0.7, 3);
    let h = 1e-5;
    let expected = (carried_hess(0.7 + h, 3).1[0] - carried_hess(0.7 - h, 3).1[0]) / (2.0 * h);
    assert!((second - expected).abs() < 1e-8, "{gradient}: {second}, not {expected}");
}
