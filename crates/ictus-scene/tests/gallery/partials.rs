//! What the partials of a body are on paper: closed forms in the body's own measures, written apart from the library.
//!
//! ```text
//! stiff string, supported     f_p = p f_1 √((1 + B p²)/(1 + B)),   B = π² EI/(T L²),  T = ρA (2 L f_1)² - π² EI/L²
//! thin bar                    f_p = f_1 (β_p/β_1)²,   free cos β cosh β = 1,  clamped-free cos β cosh β = -1,  supported β = pπ
//! undercut bar                the ratios it was carved for
//! string held by a spring     1 + K Σ φ_n²/m(ω_n² - ω²) = 0
//! free disc                   f = λ² √(D/ρh)/(2π a²)
//! supported plate             f_mn = (π/2) √(D/ρh) (m²/a² + n²/b²),   D = E h³/12(1 - ν²)
//! round membrane              f_mn = f_01 j_mn/j_01,   J_m(j_mn) = 0
//! ```
//!
//! Thick bars are in `thick_bar.rs`. Sources: Fletcher and Rossing, *The Physics of Musical Instruments*, (2.67), (2.58) to (2.64), (3.14), table 3.1;
//! zeros of the Bessel functions: Abramowitz and Stegun, table 9.5.

use std::f64::consts::PI;

use ictus::model::ObjectSpec;
use ictus::objects::{
    BarPitch, BarSpec, End, MembraneSpec, Outline, PlateEdges, PlateSpec, Section, StringMass, StringPitch, StringSpec,
    Tension,
};
use ictus_analysis::cents;

use super::thick_bar::ThickBar;

/// A thick bar may be computed as a thin one where that moves no partial by more than this, in cents.
const THIN_ENOUGH: f64 = 5.0;

/// j_mn in ascending order, up to the tenth frequency.
const BESSEL_ZEROS: [f64; 10] =
    [2.40483, 3.83171, 5.13562, 5.52008, 6.38016, 7.01559, 7.58834, 8.41724, 8.65373, 8.77148];

/// λ² of a free disc of ν = 0.34, ω = λ²√(D/ρh)/a²: roots of Leissa's equation (2.9), *Vibration of Plates*, 1969. For ν = 0.33 they are those of his table 2.5.
const FREE_DISC: [f64; 10] =
    [5.22914, 9.09047, 12.17678, 20.52582, 21.42072, 32.91142, 35.23668, 38.52807, 46.61028, 52.89211];

/// The lowest partials in Hz of a body, no more than `count` and none above `highest` in Hz.
pub fn partials(body: &ObjectSpec, count: usize, highest: f64) -> Vec<f64> {
    let mut partials = match body {
        ObjectSpec::String(string) => of_string(string, count),
        ObjectSpec::Bar(bar) => of_bar(bar, count, highest),
        ObjectSpec::Plate(plate) => of_plate(plate),
        ObjectSpec::Membrane(membrane) => of_membrane(membrane),
        ObjectSpec::Mass(mass) => vec![mass.frequency],
        other => panic!("nothing is known of a {}", other.kind()),
    };
    partials.retain(|frequency| *frequency < highest);
    partials.truncate(count);
    partials
}

/// Mass per length in kg/m, bending stiffness EI in N m² and tension in N.
pub fn measures(string: &StringSpec) -> [f64; 3] {
    assert_eq!(string.ends, [End::SimplySupported; 2], "the closed form is for supported ends");
    let area = PI * string.radius.powi(2);
    let linear_density = match string.mass {
        StringMass::Density(density) => density * area,
        StringMass::PerLength(linear_density) => linear_density,
        _ => panic!("no mass is known"),
    };
    let bending = string.youngs_modulus * PI * string.radius.powi(4) / 4.0;
    let tension = match string.pitch {
        StringPitch::Tension(tension) => tension,
        StringPitch::Fundamental(frequency) => {
            linear_density * (2.0 * string.length * frequency).powi(2) - PI.powi(2) * bending / string.length.powi(2)
        }
        _ => panic!("no pitch is known"),
    };
    [linear_density, bending, tension]
}

/// The lowest partials in Hz of a string that a spring of a stiffness in N/m holds to something that does not move, at a fraction of its length.
///
/// With the string's own modes ω_n, φ_n = sin nπx and m = ρAL/2: `1 + K Σ φ_n²/m(ω_n² - ω²) = 0`, one root above each ω_p.
pub fn held(string: &StringSpec, stiffness: f64, at: f64, count: usize) -> Vec<f64> {
    let modal_mass = 0.5 * measures(string)[0] * string.length;
    // What the others add falls with the cube of their number and more.
    let own = of_string(string, 600);
    let softness = |frequency: f64| -> f64 {
        let of_mode = |(n, own): (usize, &f64)| {
            ((n + 1) as f64 * PI * at).sin().powi(2)
                / (modal_mass * (2.0 * PI).powi(2) * (own * own - frequency * frequency))
        };
        own.iter().enumerate().map(of_mode).sum()
    };
    let root = |p: usize| {
        let (mut low, mut high) = (own[p], own[p + 1]);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if 1.0 + stiffness * softness(middle) < 0.0 { low = middle } else { high = middle }
        }
        low
    };
    (0..count).map(root).collect()
}

fn of_string(string: &StringSpec, count: usize) -> Vec<f64> {
    let [linear_density, bending, tension] = measures(string);
    let inharmonicity = PI.powi(2) * bending / (tension * string.length.powi(2));
    let flexible = (tension / linear_density).sqrt() / (2.0 * string.length);
    (1..=count).map(|p| p as f64 * flexible * (1.0 + inharmonicity * (p * p) as f64).sqrt()).collect()
}

/// βL of a thin bar's modes that bend, lowest first.
fn thin_roots(ends: [End; 2], count: usize) -> Vec<f64> {
    use End::{Clamped, Free, SimplySupported};
    // cos x = ±1/cosh x lies beside an odd quarter turn q, by an angle that the right side gives: x = q ± asin(1/cosh x), in turn.
    let beside = |quarter: f64, side: f64| (0..80).fold(quarter, |x: f64, _| quarter + side * (1.0 / x.cosh()).asin());
    let root = |p: usize| {
        let side = if p.is_multiple_of(2) { -1.0 } else { 1.0 };
        match ends {
            [SimplySupported, SimplySupported] => p as f64 * PI,
            [Free, Free] | [Clamped, Clamped] => beside((p as f64 + 0.5) * PI, side),
            [Clamped, Free] | [Free, Clamped] => beside((p as f64 - 0.5) * PI, side),
            other => panic!("no roots are known for {other:?}"),
        }
    };
    (1..=count).map(root).collect()
}

fn of_bar(bar: &BarSpec, count: usize, highest: f64) -> Vec<f64> {
    let (Section::Rectangular { thickness, .. }, BarPitch::Fundamental(fundamental)) = (bar.section, bar.pitch) else {
        panic!("the bars of the gallery are tuned and rectangular");
    };
    if !bar.partials.is_empty() {
        return bar.partials.iter().map(|ratio| fundamental * ratio).collect();
    }
    assert_eq!(bar.shear_modulus, None, "alike in all directions");
    let (nu, rotary) = (bar.poissons_ratio, (thickness / bar.length).powi(2) / 12.0);
    // κ of a rectangle: Cowper, J. Appl. Mech. 33 (1966) 335.
    let kappa = 10.0 * (1.0 + nu) / (12.0 + 11.0 * nu);
    let thin: Vec<f64> = thin_roots(bar.ends, count).iter().map(|root| root * root).collect();
    let thick = ThickBar { rotary, shear: rotary * 2.0 * (1.0 + nu) / kappa, ends: bar.ends }.modes(count);
    let farthest = thick.iter().zip(&thin).filter(|(b, _)| fundamental * **b / thick[0] < highest);
    let farthest = farthest.map(|(thick, thin)| cents(*thick, *thin)).fold(0.0, f64::max);
    let modes = if farthest > THIN_ENOUGH { thick } else { thin };
    modes.iter().map(|b| fundamental * b / modes[0]).collect()
}

fn of_plate(plate: &PlateSpec) -> Vec<f64> {
    let PlateSpec { thickness, density, youngs_modulus, poissons_ratio, grain: None, .. } = *plate else {
        panic!("the closed form is for plates that are alike in all directions");
    };
    let stiffness = youngs_modulus * thickness.powi(3) / (12.0 * (1.0 - poissons_ratio.powi(2)));
    let unit = 0.5 * PI * (stiffness / (density * thickness)).sqrt();
    if let (Outline::Circle(diameter), PlateEdges::Free) = (plate.outline, plate.edges) {
        assert_eq!(poissons_ratio, 0.34, "the roots are those of bronze");
        return FREE_DISC.iter().map(|root| 4.0 * unit * root / (PI * diameter).powi(2)).collect();
    }
    let (Outline::Rectangle([a, b]), PlateEdges::SimplySupported) = (plate.outline, plate.edges) else {
        panic!("the closed forms are for supported rectangles and free discs");
    };
    let mode = |m: i32, n: i32| unit * (f64::from(m * m) / (a * a) + f64::from(n * n) / (b * b));
    let mut modes: Vec<f64> = (1..20).flat_map(|m| (1..20).map(move |n| mode(m, n))).collect();
    modes.sort_by(f64::total_cmp);
    modes
}

fn of_membrane(membrane: &MembraneSpec) -> Vec<f64> {
    let (Outline::Circle(_), Tension::Fundamental(fundamental)) = (membrane.outline, membrane.tension) else {
        panic!("the membranes of the gallery are tuned and round");
    };
    BESSEL_ZEROS.iter().map(|zero| fundamental * zero / BESSEL_ZEROS[0]).collect()
}

#[test]
fn the_roots_of_thin_bars_are_those_of_the_textbook() {
    let textbook: [([End; 2], [f64; 4]); 2] = [
        ([End::Free; 2], [4.730_041, 7.853_205, 10.995_608, 14.137_165]),
        ([End::Clamped, End::Free], [1.875_104, 4.694_091, 7.854_757, 10.995_541]),
    ];
    for (ends, roots) in textbook {
        for (found, root) in thin_roots(ends, 4).into_iter().zip(roots) {
            assert!((found - root).abs() < 1e-6, "{ends:?}: {found}, not {root}");
        }
    }
}
