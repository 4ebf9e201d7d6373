/* A hammer pressed on 64 and on 256 modes: the model of `cargo bench -p ictus --bench engine -- modal`, written out in C.
 *
 *     gcc -O3 -march=native hammer_on_modes.c -lm -o /tmp/hammer && /tmp/hammer
 *
 * Modes with exact poles, d+ = r d - c u + B w f and u+ = u + d+ (PHYSICS section 5), read at the hammer and at a pickup in the pass that steps
 * them. The contact is the published rule for psi (W19 (10)-(18)) with Hunt-Crossley's resistance: one evaluation of the law and one solve in a
 * sample, where the engine has three. Vectors of eight are written out, so that the sums are vectors too without the compiler being told that
 * it may reassociate; products and sums may be fused, which the engine does not allow itself. There is no account of energy. */
#define _POSIX_C_SOURCE 199309L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST = 256, LANES = 8, BLOCK = 64, BLOCKS = 20000 };

typedef double eight __attribute__((vector_size(64)));

static const double PI = 3.14159265358979323846;
static const double RATE = 44100.0, STIFFNESS = 1e7, DISSIPATION = 0.1, MASS = 0.02, WEIGHT = 20.0;

static eight u[MOST / LANES], d[MOST / LANES], r[MOST / LANES], c[MOST / LANES], w[MOST / LANES], heard[MOST / LANES];

/* One sample of all modes, with the force of the sample before (N): what the hammer and the pickup find (m). */
static inline void step(int count, double force, double *at_hammer, double *at_pickup)
{
    eight here = {0}, there = {0};
    for (int i = 0; i < count / LANES; i++) {
        eight push = w[i] * force;
        eight moved = d[i] + push, place = u[i] + push;
        d[i] = r[i] * moved - c[i] * place;
        u[i] = place + d[i];
        here += w[i] * u[i];
        there += heard[i] * u[i];
    }
    *at_hammer = *at_pickup = 0.0;
    for (int lane = 0; lane < LANES; lane++) {
        *at_hammer += here[lane];
        *at_pickup += there[lane];
    }
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void run(int count)
{
    const double k = 1.0 / RATE, free_mass = k * k / MASS;
    double admittance = free_mass;
    for (int i = 0; i < count; i++) {
        double frequency = 80.0 + 19000.0 * i / count, sigma = 6.91, mass = 0.1;
        double persistence = exp(-2.0 * sigma * k);
        double half = sin(PI * frequency * k), shrink = exp(-sigma * k) - 1.0;
        double response = sqrt(k * k * (1.0 + persistence) / (2.0 * mass));
        int at = i / LANES, lane = i % LANES;
        r[at][lane] = persistence;
        c[at][lane] = shrink * shrink + 4.0 * exp(-sigma * k) * half * half;
        w[at][lane] = response * cos(0.7 * i);
        heard[at][lane] = response * sin(0.3 * i);
        u[at][lane] = d[at][lane] = 0.0;
        admittance += w[at][lane] * w[at][lane];
    }
    /* The hammer's place and where it was, the compression and what it was: m. */
    double hammer = 1e-5, last = 1e-5, eta = 1e-5, eta_before = 1e-5;
    double psi = 0.0, force = 0.0, sum = 0.0, touching = 0.0;
    const double steep = sqrt(0.5 * STIFFNESS * 2.5);
    static double took[BLOCKS];
    for (int block = 0; block < BLOCKS; block++) {
        double start = now();
        for (int sample = 0; sample < BLOCK; sample++) {
            double place, pickup;
            step(count, force, &place, &pickup);
            double flown = 2.0 * hammer - last + free_mass * WEIGHT;
            double s = flown - place - eta_before;
            force = 0.0;
            if (eta > 0.0 || psi > 0.0) {
                double depth = eta > 0.0 ? eta : 0.0, root = sqrt(depth);
                double g = steep * sqrt(root), resistance = DISSIPATION * STIFFNESS * depth * root;
                double conductance = 0.25 * g * g + 0.5 * resistance * RATE;
                s = (s - admittance * psi * g) / (1.0 + admittance * conductance);
                force = conductance * s + psi * g;
                psi += 0.5 * g * s;
                touching += 1.0;
            }
            double next = eta_before + s;
            eta_before = eta;
            eta = next;
            last = hammer;
            hammer = flown - free_mass * force;
            sum += pickup;
        }
        took[block] = (now() - start) / BLOCK;
    }
    qsort(took, BLOCKS, sizeof took[0], by_size);
    printf("hammer pressed on %3d modes %8.1f ns per sample (touching %.0f %% of the time, %g)\n", count, took[BLOCKS / 2],
           100.0 * touching / ((double)BLOCKS * BLOCK), sum);
}

int main(void)
{
    run(64);
    run(256);
    return 0;
}
