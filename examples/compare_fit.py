#!/usr/bin/env python3
"""`ictus fit` beside lim-sample, a public estimator of modes, on the same sounds.

    pip install "numpy<2.1" lim-sample==2.2.0
    python examples/compare_fit.py --ictus target/release/ictus --objects 20

The objects are those of `ictus study fit` (the same numbers from the same seeds): damped sines in white noise. Both read the same samples, and both
answers are scored alike. lim-sample is told where the sound begins and how many modes there are; ictus is told nothing.
"""

import argparse
import json
import math
import pathlib
import subprocess
import tempfile
import wave

import numpy as np

RATE = 48_000
LEAD = 2_400
MASK = (1 << 64) - 1


class SplitMix64:
    """The generator of ictus: Steele, Lea and Flood (2014)."""

    def __init__(self, seed):
        self.state = seed & MASK

    def unit(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        bits = self.state
        bits = ((bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        bits = ((bits ^ (bits >> 27)) * 0x94D049BB133111EB) & MASK
        return ((bits ^ (bits >> 31)) >> 11) / (1 << 53)


def bandwidth(t60):
    return math.log(1000) / (math.pi * t60)


def modes(seed):
    """Frequency in Hz, T60 in s, amplitude, phase of each mode of an object."""
    random = SplitMix64(seed * 7919 + 1)
    count = 1 + int(60 * random.unit())
    made = []
    for _ in range(5000):
        if len(made) == count:
            break
        if made and random.unit() < 0.3:
            frequency, t60 = made[int(random.unit() * len(made))][:2]
            frequency, t60 = frequency + bandwidth(t60) * (1 + 2 * random.unit()), t60 * (0.7 + 0.6 * random.unit())
        else:
            frequency = 60 * (16_000 / 60) ** random.unit()
            t60 = 4 * (0.05 / 4) ** random.unit()
            t60 = min(t60, max(4 * math.sqrt(200 / frequency), 0.1))
        if frequency > 20_000 or any(abs(other[0] - frequency) < bandwidth(min(t60, other[1])) for other in made):
            continue
        made.append([frequency, t60, 10 ** (-45 * random.unit() / 20), 2 * math.pi * random.unit()])
    strongest = max(mode[2] for mode in made)
    return [(frequency, t60, amplitude / strongest, phase) for frequency, t60, amplitude, phase in made]


def sound(made, level, seed):
    """Its sound after 50 ms of noise; the noise lies `level` dB beside the amplitude of the strongest mode."""
    length = int(RATE * min(max(max(mode[1] for mode in made), 0.3), 3.0))
    samples = 10 ** (level / 20) * np.random.default_rng(seed).standard_normal(LEAD + length)
    time = np.arange(length) / RATE
    for frequency, t60, amplitude, phase in made:
        samples[LEAD:] += amplitude * 0.001 ** (time / t60) * np.cos(2 * math.pi * frequency * time + phase)
    return samples


def by_ictus(program, samples, folder):
    """Frequencies, T60s and amplitudes at the beginning, from the program."""
    path = pathlib.Path(folder) / "sound.wav"
    # 24 bits below full scale, whose rounding lies 80 dB below the quieter of the noises.
    scale = 0.9 / np.abs(samples).max()
    numbers = np.round(samples * scale * 8_388_607).astype("<i4")
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 3, RATE, len(numbers), "NONE", ""))
        file.writeframes(numbers.view(np.uint8).reshape(-1, 4)[:, :3].tobytes())
    done = subprocess.run([program, "fit", str(path), "--json"], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1) or not done.stdout:
        return []
    told = json.loads(done.stdout)
    later = told["recordings"][0]["onset"] - LEAD / RATE
    return [
        (mode["frequency"], mode["t60"], 10 ** (mode["level"][0] / 20) / scale * 1000 ** (later / mode["t60"]))
        for mode in told["modes"]
    ]


def by_sample(samples, count):
    """The same from lim-sample, with its windows for full bandwidth, and as many sines as there are."""
    from sample import SAMPLE

    model = SAMPLE(
        sinusoidal__tracker__fs=RATE,
        sinusoidal__tracker__max_n_sines=2 * count + 10,
        sinusoidal__tracker__peak_threshold=-80,
        sinusoidal__tracker__frequency_bounds=(20, 20_000),
    )
    model.fit(samples[LEAD:])
    # Its decay d is that of exp(-2 t / d).
    return [
        (frequency, math.log(1000) * decay / 2, amplitude)
        for frequency, decay, amplitude in zip(model.freqs_, model.decays_, model.amps_)
        if decay > 0 and amplitude > 0 and frequency > 0
    ]


def score(made, found):
    """Errors in cents, per cent of T60 and dB of the modes found within half a bandwidth; how many were not, and how many are none."""
    left, errors = list(found), []
    for frequency, t60, amplitude, _ in made:
        sigma = math.log(1000) / t60

        def distance(other):
            return math.hypot(2 * math.pi * (other[0] - frequency), math.log(1000) / other[1] - sigma)

        nearest = min(left, key=distance, default=None)
        if nearest is None or distance(nearest) >= sigma:
            continue
        left.remove(nearest)
        errors.append(
            (
                abs(1200 * math.log2(nearest[0] / frequency)),
                abs(100 * (nearest[1] / t60 - 1)),
                abs(20 * math.log10(nearest[2] / amplitude)),
            )
        )
    return errors, len(made) - len(errors), len(left)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ictus", default="ictus", help="the program")
    parser.add_argument("--objects", type=int, default=20, help="how many objects, from the first on")
    options = parser.parse_args()
    print("| noise (dB) | estimator | modes | missed | too many | frequency: median, p95 (cents) | T60 (%) | level (dB) |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for noise in (-60, -40):
        totals = {name: ([], 0, 0) for name in ("ictus fit", "lim-sample")}
        all_modes = 0
        with tempfile.TemporaryDirectory() as folder:
            for seed in range(options.objects):
                made = modes(seed)
                samples = sound(made, noise, seed)
                all_modes += len(made)
                answers = {"ictus fit": by_ictus(options.ictus, samples, folder), "lim-sample": by_sample(samples, len(made))}
                for name, found in answers.items():
                    errors, missed, extra = score(made, found)
                    before = totals[name]
                    totals[name] = (before[0] + errors, before[1] + missed, before[2] + extra)
        for name, (errors, missed, extra) in totals.items():
            columns = np.array(errors).reshape(-1, 3)
            told = [f"{np.median(column):.3f}, {np.quantile(column, 0.95):.3f}" if len(column) else "-" for column in columns.T]
            print(f"| {noise} | {name} | {all_modes} | {missed} | {extra} | {' | '.join(told)} |")


if __name__ == "__main__":
    main()
