// Impacts of the literature, as `ictus impact` takes them; what is not named is as usual.

export const PRESETS = [
  { name: "P09, Table 1 (a): soft wall", question: { stiffness: "1e7", exponent: "1.1", dissipation: "0.1", velocity: "0.3", scheme: "am1,verlet,heun,rk4" } },
  { name: "P09, Table 1 (b): hard wall", question: { scheme: "am1,verlet,heun,rk4" } },
  { name: "P09, figure 4: soft enough for all", question: { stiffness: "1e5", exponent: "1.6", velocity: "0.3", scheme: "am1,verlet,heun,rk4" } },
  { name: "P09, figure 7, case 1: with corrections", question: { stiffness: "1e7", exponent: "1.1", dissipation: "0.1", velocity: "0.3", scheme: "verlet,verlet+corrected" } },
  { name: "P09, figure 7, case 2: with corrections", question: { scheme: "heun,heun+corrected" } },
  { name: "P09, figure 8: bouncing", question: { stiffness: "1e7", exponent: "1.1", dissipation: "0.1", velocity: "0.3", gravity: "9.81", scheme: "am1,rk4" } },
  { name: "P09, figure 8: bouncing, with corrections", question: { stiffness: "1e7", exponent: "1.1", dissipation: "0.1", velocity: "0.3", gravity: "9.81", scheme: "am1,am1+corrected,rk4,rk4+corrected" } },
  { name: "A04, figure 1: a hard hammer", question: { stiffness: "1.5e11", exponent: "2.8", dissipation: "0.6", velocity: "4", scheme: "am1,secant" } },
  { name: "C14, figure 3: a kilogram, linear", question: { mass: "1", stiffness: "1e9", exponent: "1", dissipation: "0", rate: "50000", gap: "1e-4", scheme: "three-point,two-point" } },
  { name: "C14, figure 4: shorter than the samples", question: { mass: "1", stiffness: "1e11", exponent: "1", dissipation: "0", rate: "50000", gap: "1e-4", scheme: "three-point,two-point" } },
  { name: "A contact shorter than a sample", question: { stiffness: "1e12", phase: "0.3", scheme: "psi-release,psi-nonadhesive,secant" } },
  { name: "The rules for g, on the hard wall", question: { phase: "0.3", scheme: "psi,psi-release,psi-nonadhesive,secant" } },
];
