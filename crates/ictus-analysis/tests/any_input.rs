//! No input makes an analysis panic or return a number that is not one.

use ictus_analysis::*;
use proptest::prelude::*;

/// Numbers that break things: every bit pattern, and the classics more often.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => -1.0..1.0_f64,
        1 => any::<f64>(),
        1 => prop::sample::select(vec![
            0.0, -0.0, 1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY,
            f64::MAX, f64::MIN_POSITIVE, 5e-324, 1e100, -1e100, 1e-200,
        ]),
    ]
}

/// Mostly sound, sometimes a mixture of anything, always possibly empty or a single sample.
fn signal() -> impl Strategy<Value = Vec<f64>> {
    prop_oneof![
        3 => prop::collection::vec(-1.0..1.0_f64, 0..600),
        1 => prop::collection::vec(number(), 0..6),
        1 => (0..3000_usize, 0.0..3.2_f64, 0.0..0.1_f64, -200..100_i32).prop_map(
            |(length, omega, decay, exponent)| (0..length)
                .map(|n| n as f64)
                .map(|n| 10.0_f64.powi(exponent) * (omega * n).sin() * (-decay * n).exp())
                .collect()
        ),
        1 => (0..900_usize, number()).prop_map(|(length, value)| vec![value; length]),
    ]
}

fn rate() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => prop::sample::select(vec![44_100.0, 48_000.0, 8000.0, 100.0, 1.0]),
        1 => number(),
        1 => 1e-3..1e9_f64,
    ]
}

fn size() -> impl Strategy<Value = usize> {
    prop_oneof![4 => 1..2000_usize, 1 => prop::sample::select(vec![0, 1, usize::MAX])]
}

fn framing() -> impl Strategy<Value = Framing> {
    let windows = vec![Window::Hann, Window::Rectangular, Window::BlackmanHarris];
    (size(), size(), prop::sample::select(windows)).prop_map(|(size, hop, window)| Framing { size, hop, window })
}

/// Input that breaks a documented rule, for which an answer would be a lie.
fn unusable(signal: &[f64], rate: f64) -> bool {
    let bad_sample = |x: &f64| x.is_nan() || x.abs() > LARGEST_SAMPLE;
    signal.is_empty() || signal.iter().any(bad_sample) || !(1e-3..=1e9).contains(&rate)
}

fn finite(values: impl IntoIterator<Item = f64>) -> bool {
    values.into_iter().all(f64::is_finite)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn spectra_are_finite_or_refused(
        signal in signal(), rate in rate(), framing in framing(),
        length in size(), floor in number(),
    ) {
        let spectrum = Spectrum::new(&signal, rate, framing.window);
        prop_assert_eq!(spectrum.is_err(), unusable(&signal, rate));
        for spectrum in [spectrum, Spectrum::padded(&signal, rate, framing.window, length)]
            .into_iter().flatten()
        {
            prop_assert!(finite(spectrum.amplitudes().iter().copied()));
            prop_assert!(finite(spectrum.power_density()));
            prop_assert!(spectrum.levels().iter().all(|level| !level.is_nan()));
            let peaks = spectrum.peaks(floor);
            prop_assert!(finite(peaks.iter().flat_map(|p| [p.frequency, p.amplitude])));
            prop_assert!(spectrum.largest_peak().is_none_or(|p| p.level().is_finite()));
        }
        if let Ok(picture) = Spectrogram::new(&signal, rate, framing, floor) {
            prop_assert!(finite(picture.levels.iter().copied()));
            prop_assert_eq!(
                picture.levels.len(), picture.times.len() * picture.frequencies.len()
            );
        }
    }

    #[test]
    fn centroids_lie_below_half_the_rate_or_do_not_exist(
        signal in signal(), rate in rate(), framing in framing(),
    ) {
        let in_range = |f: f64| (0.0..=0.5 * rate * (1.0 + 1e-9)).contains(&f);
        for weighting in [Weighting::Amplitude, Weighting::Power] {
            if let Ok(track) = centroid_track(&signal, rate, framing, weighting) {
                prop_assert!(!unusable(&signal, rate));
                prop_assert!(finite(track.iter().map(|frame| frame.time)));
                prop_assert!(track.iter().filter_map(|frame| frame.frequency).all(in_range));
            }
            if let Ok(Some(average)) = average_centroid(&signal, rate, framing, weighting) {
                prop_assert!(in_range(average));
            }
        }
    }

    #[test]
    fn pitches_are_positive_or_do_not_exist(
        signal in signal(), rate in rate(), expected in number(), share in 0.0..0.6_f64,
        search in prop_oneof![number(), 0.0..3000.0_f64], lowest in number(), highest in number(),
    ) {
        let pitch = fundamental(&signal, rate, PitchRange::default());
        prop_assert_eq!(pitch.is_err(), unusable(&signal, rate));
        for pitch in [pitch, fundamental(&signal, rate, PitchRange { lowest, highest })]
            .into_iter().flatten().flatten()
        {
            prop_assert!(pitch.frequency > 0.0 && pitch.frequency.is_finite());
            prop_assert!((0.5..=1.0).contains(&pitch.clarity));
        }
        for expected in [expected, share * rate] {
            if let Ok(Some(partial)) = partial_near(&signal, rate, expected, search) {
                prop_assert!(cents(expected, partial.frequency).abs() <= search + 1e-6);
                prop_assert!(partial.amplitude > 0.0 && partial.amplitude.is_finite());
            }
        }
    }

    #[test]
    fn decay_times_are_positive_or_do_not_exist(
        signal in signal(), rate in rate(), upper in number(), lower in -90.0..0.0_f64,
        share in 0.0..0.6_f64, width in 0.0..0.6_f64, anything in number(),
    ) {
        for range in [FitRange::default(), FitRange { upper, lower }, FitRange { upper: 0.0, lower }] {
            let mut times = vec![
                decay_time(&signal, rate, range).ok().flatten(),
                partial_decay_time(&signal, rate, share * rate, width * rate, range).ok().flatten(),
                partial_decay_time(&signal, rate, anything, anything, range).ok().flatten(),
            ];
            for bandwidth in [Bandwidth::Octave, Bandwidth::ThirdOctave] {
                if let Ok(bands) = band_decay_times(&signal, rate, bandwidth, range) {
                    prop_assert!(!unusable(&signal, rate));
                    prop_assert!(finite(bands.iter().map(|band| band.energy)));
                    times.extend(bands.iter().map(|band| band.decay_time));
                }
            }
            prop_assert!(times.iter().flatten().all(|&time| time > 0.0 && time.is_finite()));
        }
    }

    #[test]
    fn contacts_are_ordered_and_finite(
        pairs in prop::collection::vec((number(), number()), 0..60), rate in rate(),
        threshold in number(), exponent in prop_oneof![number(), 1.0..10.0_f64],
    ) {
        let (force, other): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
        let settings = ForceContacts { threshold, exponent };
        for events in [
            contacts_from_force(&force, &other, rate, settings),
            contacts_from_force(&force, &other, rate, ForceContacts::default()),
            contacts_from_compression(&other, &force, rate),
        ].into_iter().flatten() {
            for event in &events {
                prop_assert!(0.0 <= event.start && event.start <= event.end);
                prop_assert!(finite([event.end, event.v_in, event.v_out, event.peak_force]));
            }
            prop_assert!(events.windows(2).all(|pair| pair[0].end <= pair[1].start));
        }
        prop_assert!(contacts_from_compression(&other, &force[..force.len() / 2], rate).is_err());
    }

    #[test]
    fn loudness_is_finite_or_does_not_exist(
        left in signal(), right in signal(), rate in rate(),
    ) {
        let length = left.len().min(right.len());
        for channels in [vec![&left[..]], vec![&left[..length], &right[..length]], vec![], vec![&left[..], &right[..]]] {
            if let Ok(measured) = loudness(&channels, rate) {
                prop_assert!(measured.integrated.is_none_or(f64::is_finite));
                prop_assert!(measured.true_peak >= measured.sample_peak);
                prop_assert!(measured.true_peak.is_finite());
            }
        }
    }
}
