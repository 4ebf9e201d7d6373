//! A04's approximation of the map, its (13): straight lines through logarithms, by least squares, and their inversion.
//!
//! ```text
//! ln τ = a0 + a1 ln K,    ln c_av = b0 + b1 ln K + b2 ln μ
//! ```
//!
//! On a rigid wall a1 = -1/(α+1) exactly.

use super::Design;

/// The coefficients of both fits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogLinearFit {
    /// a0, a1 of the contact time (s) over the stiffness (N/m^α).
    pub contact_time: [f64; 2],
    /// b0, b1, b2 of the centroid (Hz) over stiffness and dissipation (s/m).
    pub centroid: [f64; 3],
}

impl LogLinearFit {
    /// The fit to these contacts, lossless ones left out; `None` if they do not span both stiffness and dissipation.
    pub fn of<'a>(points: impl IntoIterator<Item = &'a Design>) -> Option<Self> {
        let rows: Vec<[f64; 4]> = points
            .into_iter()
            .filter(|point| point.dissipation > 0.0)
            .map(|point| {
                [point.stiffness, point.dissipation, point.features.contact_time, point.features.centroid].map(f64::ln)
            })
            .collect();
        let contact_time = least_squares(rows.iter().map(|row| ([1.0, row[0]], row[2])))?;
        let centroid = least_squares(rows.iter().map(|row| ([1.0, row[0], row[1]], row[3])))?;
        Some(Self { contact_time, centroid })
    }

    /// Contact time in s and centroid in Hz that the fit gives a stiffness and a dissipation.
    pub fn predict(&self, stiffness: f64, dissipation: f64) -> (f64, f64) {
        let ([a0, a1], [b0, b1, b2]) = (self.contact_time, self.centroid);
        ((a0 + a1 * stiffness.ln()).exp(), (b0 + b1 * stiffness.ln() + b2 * dissipation.ln()).exp())
    }

    /// A04's control mapping: stiffness and dissipation for a contact time in s and a centroid in Hz. `None` where the numbers
    /// run out.
    pub fn invert(&self, contact_time: f64, centroid: f64) -> Option<(f64, f64)> {
        let ([a0, a1], [b0, b1, b2]) = (self.contact_time, self.centroid);
        let stiffness = (contact_time.ln() - a0) / a1;
        let dissipation = (centroid.ln() - b0 - b1 * stiffness) / b2;
        let found = (stiffness.exp(), dissipation.exp());
        (found.0.is_normal() && found.1.is_normal()).then_some(found)
    }
}

/// Coefficients of the linear combination that comes closest, by the normal equations and elimination.
fn least_squares<const N: usize>(rows: impl Iterator<Item = ([f64; N], f64)>) -> Option<[f64; N]> {
    let mut matrix = [[0.0; N]; N];
    let mut right = [0.0; N];
    for (terms, value) in rows {
        for i in 0..N {
            right[i] += terms[i] * value;
            for j in 0..N {
                matrix[i][j] += terms[i] * terms[j];
            }
        }
    }
    for pivot in 0..N {
        // Symmetric and positive: no exchange of rows is needed, and a pivot that vanishes means dependent columns.
        let size = matrix[pivot][pivot];
        if size.is_nan() || size.abs() < 1e-9 {
            return None;
        }
        for row in pivot + 1..N {
            let factor = matrix[row][pivot] / size;
            let above = matrix[pivot];
            matrix[row].iter_mut().zip(above).skip(pivot).for_each(|(cell, above)| *cell -= factor * above);
            right[row] -= factor * right[pivot];
        }
    }
    let mut solution = [0.0; N];
    for row in (0..N).rev() {
        let known: f64 = (row + 1..N).map(|column| matrix[row][column] * solution[column]).sum();
        solution[row] = (right[row] - known) / matrix[row][row];
    }
    Some(solution)
}

#[cfg(test)]
mod tests {
    use super::super::Features;
    use super::*;

    #[test]
    fn a_power_law_is_found_and_inverted() {
        let law = |stiffness: f64, dissipation: f64| Design {
            stiffness,
            dissipation,
            features: Features {
                contact_time: 3.0 * stiffness.powf(-0.4),
                centroid: 20.0 * stiffness.powf(0.2) * dissipation.powf(-0.1),
                restitution: 1.0,
                contacts: 1,
            },
        };
        let points: Vec<Design> =
            [1e5, 1e7, 1e9].into_iter().flat_map(|k| [0.01, 0.1, 1.0].map(|mu| law(k, mu))).collect();
        let fit = LogLinearFit::of(&points).unwrap();
        assert!((fit.contact_time[1] + 0.4).abs() < 1e-12 && (fit.centroid[2] + 0.1).abs() < 1e-12, "{fit:?}");
        let (stiffness, dissipation) = fit.invert(3.0 * 1e6f64.powf(-0.4), fit.predict(1e6, 0.3).1).unwrap();
        assert!((stiffness / 1e6 - 1.0).abs() < 1e-9 && (dissipation / 0.3 - 1.0).abs() < 1e-9);
    }

    #[test]
    fn one_stiffness_is_no_line() {
        assert_eq!(LogLinearFit::of(&[]), None);
    }
}
