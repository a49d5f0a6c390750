#pragma once

#include <vector>

#include "timing/estimate.h"

namespace kb::timing {

// A slope of noise can be anything; a time cannot.
inline constexpr double kLeastMicros = 1e-3;

inline double Squared(double x) { return x * x; }

bool IsOfCpu(const record::Ruler& ruler);

// How far the least of such values may be from the least there is.
double ErrorOfLeast(const std::vector<double>& values);

std::vector<double> Column(const std::vector<const record::Trial*>& trials,
                           double record::Trial::* member);

// How well it is known what a call takes alone. Standard deviations of what it
// seems to, between two processes of a run, and between two runs whatever their
// number of processes; what one process is said to know it to; how many are
// read at most for its sake. Microseconds.
struct OnceNoise {
  double process;
  double run;
  double known;
  int64_t most_processes;
};
// Better where it was read what a chain costs once in the processes of both.
const OnceNoise& OnceNoiseOf(const std::vector<const record::Trial*>& trials);

// Those that are timed and count.
std::vector<const record::Trial*> Counted(
    const std::vector<record::Trial>& trials);

// The trials that count, process by process.
std::vector<std::vector<const record::Trial*>> ByProcess(
    const std::vector<const record::Trial*>& trials);

// Of one process.
Sides SidesOf(const std::vector<const record::Trial*>& trials,
              const record::Ruler& ruler);

// Both sides of every process. What a call takes alone is noisy, so that all
// processes together say how much longer than in a chain that is. Where
// launches show, both sides of every round: a host changes its speed within a
// process, but seldom within a round.
std::vector<Sides> SidesByProcess(
    const std::vector<const record::Trial*>& trials,
    const record::Ruler& ruler);

// Whether the candidate takes longer alone than the reference does, so that its
// calls may be done together in a chain.
bool MayDoCallsTogether(const std::vector<Sides>& processes,
                        const record::Ruler& ruler);

// Of one side; the geometric mean over processes, so that the quotient of both
// sides' is the mean of the quotients. Where launches show, medians of rounds:
// of the reference's times, and of the quotients.
double MicrosOf(const std::vector<Sides>& processes, Readings Sides::* side,
                const record::Ruler& ruler);

}  // namespace kb::timing
