//! Nanoseconds per sample of whole models, beside plain scalar loops of the same physics or the same body on a grid, in the same run; and the
//! worst block.
//!
//! `cargo bench -p ictus --bench engine`, or of some models only: `cargo bench -p ictus --bench engine -- string plate`

mod bodies;
mod grids;
mod lumped;
mod networks;
mod timing;
mod tromba;

fn main() {
    let asked: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let chosen = |name: &str| asked.is_empty() || asked.iter().any(|asked| name.contains(asked.as_str()));
    if !BENCHES.iter().any(|(name, _)| chosen(name)) {
        eprintln!("no model has such a name: {} are measured", BENCHES.map(|(name, _)| name).join(", "));
        std::process::exit(2);
    }
    println!("{:<46} {:>9} {:>9} {:>9} {:>9} {:>7}", "ns per sample", "median", "p99.9", "max", "beside", "ratio");
    for (_, bench) in BENCHES.iter().filter(|(name, _)| chosen(name)) {
        bench();
    }
}

/// What can be asked for by name.
const BENCHES: [(&str, fn()); 14] = [
    ("mass", lumped::mass),
    ("modal", || [64, 256].into_iter().for_each(lumped::modal)),
    ("string", grids::string),
    ("plate", || [32, 64].into_iter().for_each(grids::plate)),
    ("tromba", tromba::tromba),
    ("thousand", grids::thousand_strings),
    ("modes of a string", bodies::string),
    ("modes of a bar", bodies::bar),
    ("modes of a plate", || [32, 64].into_iter().for_each(bodies::plate)),
    ("modes by their number", bodies::by_their_number),
    ("rows of a plate", bodies::rows_of_a_plate),
    ("links", networks::links),
    ("pressed", || [16, 64].into_iter().for_each(networks::pressed)),
    ("account", networks::account),
];
