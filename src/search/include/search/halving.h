#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "record/evaluation.h"

namespace kb::search {

// What an answer is worth: 0 unless correct; a correct one 1, and 1 more for
// each doubling of speed over eager PyTorch, which one keeps where it is
// slower.
double ValueOf(std::optional<record::Verdict> verdict,
               std::optional<double> speedup);

// By how much the last of n answers raised the best on average: with x1 the
// largest of their values and x2 the next (0 if there is none),
//
//   gain = (x1 - x2) / n
//
// Of independent answers each is the best one equally often, and without it the
// best is x2; so the mean of gain is exactly E[max of n] - E[max of n - 1],
// whatever their values are drawn from: the jackknife's difference of the
// maximum (Efron and Stein 1981, doi:10.1214/aos/1176345462). E[max of n] is
// concave in n, so the next answer brings at most that, on average. In a
// conversation, whose later answers are better, it may bring more. No answers:
// 0.
double ExpectedGain(const std::vector<double>& values);

// Answers are given out over several searches ("arms") in rounds: the arms of a
// round get equally many, then a share 1/eta of them (rounded up) with the
// highest ExpectedGain goes on. With n arms, an answer budget B and R =
// ceil(log_eta n) rounds (at least 1), each arm of the round's set S gets
// floor(B / (R |S|)), at least 1. Sequential halving: Karnin, Koren and Somekh
// 2013 (JMLR W&CP 28(3)), as Jamieson and Talwalkar 2016 (arXiv 1502.07943) use
// it. What a round cannot give out evenly goes to those of the last one.
struct HalvingPlan {
  size_t arms = 1;
  int64_t answers = 1;  // B; at least one for each arm
  int64_t eta = 2;
};
int64_t RoundsOf(const HalvingPlan& plan);

// How many answers each arm may have in all until the end of that round, 0
// being the first. `values`: of each arm, of its answers in their order; those
// beyond what rounds before allowed are not looked at. Of equal gains the arm
// with the lower best value goes on, then the earlier one.
std::vector<int64_t> LimitsInRound(
    const HalvingPlan& plan, int64_t round,
    const std::vector<std::vector<double>>& values);

}  // namespace kb::search
