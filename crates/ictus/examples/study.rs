use ictus::impact::*;
use ictus::laws::*;
fn pct(mut v: Vec<f64>) -> (f64, f64, f64) {
    v.sort_by(|a, b| a.total_cmp(b));
    (v[v.len() / 2], v[(v.len() as f64 * 0.95) as usize], v[v.len() - 1])
}
fn rnd(n: u64) -> f64 {
    let mut x = n.wrapping_mul(0x9E3779B97F4A7C15);
    x ^= x >> 30;
    x = x.wrapping_mul(0xBF58476D1CE4E5B9);
    x ^= x >> 27;
    x = x.wrapping_mul(0x94D049BB133111EB);
    x ^= x >> 31;
    (x >> 11) as f64 / (1u64 << 53) as f64
}
fn main() {
    let d: Vec<serde_json::Value> =
        serde_json::from_str(&std::fs::read_to_string("crates/ictus/tests/data/impacts.json").unwrap()).unwrap();
    let c2: f64 = std::env::args().nth(1).map_or(0.25, |s| s.parse().unwrap());
    for name in ["secant-plain", "secant"] {
        let (mut damped, mut lossless, mut tau, mut xm, mut res, mut pull, mut trap) =
            (vec![], vec![], vec![], vec![], vec![], vec![], vec![]);
        let mut fails = 0;
        for (i, c) in d.iter().enumerate() {
            for rep in 0..4u64 {
                let g = |k: &str| c[k].as_f64().unwrap();
                let p = rnd(i as u64 * 17 + rep * 7919 + 1);
                let v = g("velocity");
                let prob = Problem {
                    mass: g("mass"),
                    law: HuntCrossley::new(g("stiffness"), g("exponent"), g("dissipation")).unwrap().into(),
                    acceleration: 0.0,
                    displacement: -(2.0 + p) * v / 44100.0,
                    velocity: v,
                    rate: 44100.0,
                };
                let n = (g("contact_time") * 44100.0 * 1.3) as usize + 20;
                let r = run(scheme(name).unwrap(), &prob, &Settings { secant_trust: c2, ..Default::default() }, n);
                if r.output_velocity.is_none() || r.failure.is_some() {
                    fails += 1;
                    continue;
                }
                let e = (r.output_velocity.unwrap() / g("output_velocity") - 1.0).abs();
                if name == "secant" && e > 1e-10 && std::env::args().nth(2).is_some() {
                    println!(
                        "case {i} rep {rep} e {e:.2e} tau {} mu v {} alpha {} vout {:?} exact {}",
                        g("contact_time") * 44100.0,
                        g("dissipation") * v,
                        g("exponent"),
                        r.output_velocity,
                        g("output_velocity")
                    );
                    if fails == 0 {
                        fails = 1000;
                        for (n, s) in r.samples.iter().enumerate() {
                            println!("{n} {:?}", s);
                        }
                    }
                }
                if g("dissipation") > 0.0 {
                    damped.push(e)
                } else {
                    lossless.push(e)
                }
                let te = r.contact_time.unwrap() / g("contact_time") - 1.0;
                if te.abs() > 0.05 && std::env::args().nth(2).is_some() {
                    println!(
                        "{name} T case {i} p {p:.3} tau {:.3} muv {:.3} alpha {:.3} te {te:.4} xe {:.4} e {e:.4}",
                        g("contact_time") * 44100.0,
                        g("dissipation") * v,
                        g("exponent"),
                        r.max_compression / g("max_compression") - 1.0
                    );
                }
                tau.push((r.contact_time.unwrap() / g("contact_time") - 1.0).abs());
                xm.push((r.max_compression / g("max_compression") - 1.0).abs());
                if let Some(x) = r.energy_residual {
                    res.push(x)
                }
                pull.push(r.pull);
                trap.push(r.trapped_energy);
            }
        }
        if res.is_empty() {
            res.push(0.0)
        }
        let f = |v| {
            let (a, b, c) = pct(v);
            format!("{a:.1e}/{b:.1e}/{c:.1e}")
        };
        println!(
            "{name:16} fail {fails} damped {} lossless {} tau {} xmax {} res {} pull {} trap {}",
            f(damped),
            f(lossless),
            f(tau),
            f(xm),
            f(res),
            f(pull),
            f(trap)
        );
    }
    for name in ["secant"] {
        print!("{name:16}");
        for e in 8..=14 {
            let mut m: f64 = 0.0;
            let mut bad = 0;
            let mut tm: f64 = 0.0;
            for ph in 0..64 {
                let law = HuntCrossley::new(10f64.powi(e), 1.5, 0.5).unwrap();
                let pr = Problem {
                    mass: 1e-2,
                    law: law.into(),
                    acceleration: 0.0,
                    displacement: -(2.0 + ph as f64 / 64.0) / 44100.0,
                    velocity: 1.0,
                    rate: 44100.0,
                };
                let r = run(scheme(name).unwrap(), &pr, &Settings { secant_trust: c2, ..Default::default() }, 400);
                let ex = pr.exact().unwrap();
                let er = r.output_velocity.map_or(9.9, |v| (v / ex.output_velocity() - 1.0).abs());
                if er > 0.01 {
                    bad += 1
                }
                m = m.max(er);
                tm = tm.max(r.energy_residual.unwrap());
            }
            print!(" 1e{e}: {m:.2e} ({bad}) {tm:.0e}");
        }
        println!();
    }
}
