#pragma once

#include <type_traits>

#include "record/timing.h"

// The fields of what timing records, named once: for JSON and for a store's
// columns. `field` is called with a name and a reference to the field.
namespace kb::record {

template <typename T, typename F>
void VisitFields(T& trial, F&& field)
  requires std::is_same_v<std::remove_const_t<T>, Trial>
{
  field("seed", trial.seed);
  field("timed", trial.timed);
  field("counts", trial.counts);
  field("process", trial.process);
  field("reference_us", trial.reference_us);
  field("candidate_us", trial.candidate_us);
  field("reference_one_us", trial.reference_one_us);
  field("reference_chain_us", trial.reference_chain_us);
  field("candidate_one_us", trial.candidate_one_us);
  field("candidate_chain_us", trial.candidate_chain_us);
  field("reference_wall_us", trial.reference_wall_us);
  field("candidate_wall_us", trial.candidate_wall_us);
  field("constant_us", trial.constant_us);
  field("reference_once_us", trial.reference_once_us);
  field("candidate_once_us", trial.candidate_once_us);
  field("clock_mhz", trial.clock_mhz);
  field("temperature_c", trial.temperature_c);
  field("inputs", trial.inputs);
}

template <typename T, typename F>
void VisitFields(T& ceilings, F&& field)
  requires std::is_same_v<std::remove_const_t<T>, Ceilings>
{
  field("bandwidth_gbps", ceilings.bandwidth_gbps);
  field("fp32_tflops", ceilings.fp32_tflops);
  field("tf32_tflops", ceilings.tf32_tflops);
  field("fp16_tflops", ceilings.fp16_tflops);
  field("bf16_tflops", ceilings.bf16_tflops);
}

template <typename T, typename F>
void VisitFields(T& ruler, F&& field)
  requires std::is_same_v<std::remove_const_t<T>, Ruler>
{
  field("version", ruler.version);
  field("calls", ruler.calls);
  field("gated", ruler.gated);
  field("reference_launches", ruler.reference_launches);
  field("candidate_launches", ruler.candidate_launches);
  field("control_gated", ruler.control_gated);
  field("copied", ruler.copied);
  field("warm", ruler.warm);
  field("constant_us", ruler.constant_us);
  field("alone_us", ruler.alone_us);
  field("alone_share", ruler.alone_share);
  field("control_us", ruler.control_us);
  field("reference_waited", ruler.reference_waited);
  field("candidate_waited", ruler.candidate_waited);
  field("copy_us", ruler.copy_us);
  field("floor_us", ruler.floor_us);
  field("first_us", ruler.first_us);
  field("tf32", ruler.tf32);
  field("operators", ruler.operators);
  field("convolves", ruler.convolves);
  field("by_place", ruler.by_place);
  field("processes", ruler.processes);
  field("disturbed", ruler.disturbed);
  field("input_bytes", ruler.input_bytes);
  field("weight_bytes", ruler.weight_bytes);
  field("output_bytes", ruler.output_bytes);
  VisitFields(ruler.ceilings, field);
}

template <typename T, typename F>
void VisitFields(T& summary, F&& field)
  requires std::is_same_v<std::remove_const_t<T>, TimeSummary>
{
  field("count", summary.count);
  field("median", summary.median);
  field("mean", summary.mean);
  field("stddev", summary.stddev);
  field("min", summary.min);
  field("max", summary.max);
  field("q25", summary.q25);
  field("q75", summary.q75);
}

template <typename T, typename F>
void VisitFields(T& spent, F&& field)
  requires std::is_same_v<std::remove_const_t<T>, Spent>
{
  field("load_s", spent.load_s);
  field("inputs_s", spent.inputs_s);
  field("compare_s", spent.compare_s);
  field("hold_s", spent.hold_s);
  field("readings", spent.readings);
  field("open_s", spent.open_s);
  field("contexts", spent.contexts);
  field("reference_launch_us", spent.reference_launch_us);
  field("candidate_launch_us", spent.candidate_launch_us);
}

}  // namespace kb::record
