//! One step of something that follows at a distance: `ẇ = ṡ - w/τ`, s being what is followed and w how far it is ahead.
//!
//! With `x = k/τ` and s on a straight line through the step, w goes from its first value to its last along `h = (1 - e^(-t/τ))/(1 - e^(-x))`. What a
//! step needs of this are functions of x alone:
//!
//! ```text
//! step = 1 - e^(-x),   ramp = 1 - step/x,   ∫ h dt/τ = x ramp/step,   ∫ h² dt/τ = (x - 2 step + step (2 - step)/2)/step²
//! ```

/// Below this x, differences are summed as series.
const SMALL: f64 = 0.5;

/// x is taken to be within these: beyond them nothing changes any more.
const RANGE: [f64; 2] = [1e-30, 1e12];

/// The weights of one step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Relaxation {
    /// x.
    ratio: f64,
    /// What w takes over of a constant, `1 - e^(-x)`.
    pub step: f64,
    /// What it takes over of a rise that is spread over the step.
    pub ramp: f64,
}

impl Relaxation {
    /// Over a step of so many relaxation times, > 0.
    pub(crate) fn over(ratio: f64) -> Self {
        let ratio = ratio.clamp(RANGE[0], RANGE[1]);
        Self { ratio, step: -libm::expm1(-ratio), ramp: ramp_weight(ratio) }
    }

    /// The mean over the step of what only fades, by its first value: step/x.
    pub(crate) fn held(&self) -> f64 {
        self.step / self.ratio
    }

    /// The mean over the step of what comes in evenly and fades, by all that comes in: ramp/x.
    pub(crate) fn gained(&self) -> f64 {
        self.ramp / self.ratio
    }

    /// `∫ u v dt/τ` of two things that go along h, each from its first value to its last.
    pub(crate) fn product(&self, u: [f64; 2], v: [f64; 2]) -> f64 {
        let Self { ratio, step, ramp } = *self;
        let rise = [u[1] - u[0], v[1] - v[0]];
        let crossed = (u[0] * rise[1] + v[0] * rise[0]) * (ratio * ramp / step);
        u[0] * v[0] * ratio + crossed + rise[0] * rise[1] * square_weight(ratio, step)
    }
}

/// `1 - (1 - e^-x)/x`, which for small x is `x/2 (1 - x/3 (1 - x/4 (1 - …)))`.
fn ramp_weight(x: f64) -> f64 {
    if x < SMALL {
        let series = (3..=18).rev().fold(1.0, |rest, n| 1.0 - x / f64::from(n) * rest);
        0.5 * x * series
    } else {
        1.0 + libm::expm1(-x) / x
    }
}

/// `∫ h² dt/τ`, of which the numerator is `Σ (-1)^n (2^n - 2) x^(n+1)/(n+1)!` from n = 2 on.
fn square_weight(x: f64, step: f64) -> f64 {
    if x < SMALL {
        // By x³, so that nothing underflows: 1/3 - x/4 + …
        let (mut sum, mut power, mut term) = (1.0 / 3.0, 4.0, 1.0 / 6.0);
        for n in 3..=20 {
            power *= 2.0;
            term *= -x / f64::from(n + 1);
            sum += (power - 2.0) * term;
        }
        sum * x * (x / step) * (x / step)
    } else {
        (x - 2.0 * step + 0.5 * step * (2.0 - step)) / (step * step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ramp_weight_is_continuous_where_its_series_ends() {
        for x in [1e-3_f64, 0.1, 0.3, 0.499] {
            let direct = 1.0 + libm::expm1(-x) / x;
            assert!((ramp_weight(x) / direct - 1.0).abs() < 1e-15 / x);
        }
        assert!((ramp_weight(1e-12) / 5e-13 - 1.0).abs() < 1e-11);
        assert_eq!(ramp_weight(f64::INFINITY), 1.0);
    }

    #[test]
    fn products_are_the_integrals_along_the_way() {
        let ends = [[0.7, -0.4], [0.2, 1.3]];
        for x in [1e-20, 1e-3, 0.1, 0.499, 0.501, 3.0, 40.0] {
            let relaxation = Relaxation::over(x);
            let along = |[first, last]: [f64; 2], t: f64| first + (last - first) * libm::expm1(-t) / libm::expm1(-x);
            // Simpson's rule.
            let panels = 20_000;
            let width = x / f64::from(2 * panels);
            let value = |n: i32| along(ends[0], f64::from(n) * width) * along(ends[1], f64::from(n) * width);
            let sum: f64 = (0..panels).map(|n| value(2 * n) + 4.0 * value(2 * n + 1) + value(2 * n + 2)).sum();
            let got = relaxation.product(ends[0], ends[1]);
            assert!((got / (sum * width / 3.0) - 1.0).abs() < 1e-9, "x = {x}: {got}, {}", sum * width / 3.0);
        }
        for x in [0.0, f64::INFINITY] {
            assert!(Relaxation::over(x).product(ends[0], ends[1]).is_finite());
        }
    }
}
