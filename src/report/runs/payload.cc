#include "payload.h"

#include <fmt/format.h>

#include <cmath>
#include <unordered_map>

#include "base/json.h"
#include "base/text.h"
#include "deflate.h"
#include "detail.h"
#include "html/base64.h"
#include "html/html.h"
#include "html/text.h"

namespace kb::report {
namespace {

using base::Json;

constexpr size_t kMaxSource = 256 << 10;
constexpr size_t kMaxAnswer = 64 << 10;
// After so many candidates that found no place the rest is not tried.
constexpr size_t kMaxRefusals = 20;

// The objects of the array, and which sources are in it already.
class Writer {
 public:
  explicit Writer(size_t max_bytes) : deflater_(max_bytes) {}

  // The parts of a problem or candidate: its source, unless a part before it
  // has the same one, and itself. All or nothing.
  bool Add(Json json, const std::string& source) {
    const auto [known, is_new] = sources_.try_emplace(source, sources_.size());
    json["source"] = known->second;
    std::string text = fmt::format("{}{}", Separator(), base::DumpJson(json));
    if (is_new) {
      const Json part{
          {"part", "source"},
          {"id", known->second},
          {"text", html::Visible(base::Shorten(source, kMaxSource))}};
      text += fmt::format(",{}", base::DumpJson(part));
    }
    const bool fits = deflater_.Add(text);
    if (fits) empty_ = false;
    if (!fits && is_new) sources_.erase(known);
    return fits;
  }

  bool Add(const Json& json) {
    if (!deflater_.Add(fmt::format("{}{}", Separator(), base::DumpJson(json))))
      return false;
    empty_ = false;
    return true;
  }

  std::string Finish() {
    return html::Base64(deflater_.Finish(empty_ ? "[]" : "]"));
  }

 private:
  const char* Separator() const { return empty_ ? "[" : ","; }

  Deflater deflater_;
  std::unordered_map<std::string, size_t> sources_;
  bool empty_ = true;
};

Json NamesJson(const Book& book) {
  Json runs = Json::array();
  for (const BookRun& run : book.runs)
    runs.push_back({{"name", html::Cell(run.name)}});
  Json problems = Json::array();
  for (const BookProblem& problem : book.problems)
    problems.push_back({html::Cell(problem.id), html::Cell(problem.name)});
  Json verdicts = Json::array();
  for (size_t category = 0; category < kCategories; ++category)
    verdicts.push_back({CategoryName(category), CategoryStyle(category)});
  Json json{{"part", "book"},
            {"baseline", html::Cell(book.baseline)},
            {"runs", runs},
            {"problems", problems},
            {"verdicts", verdicts}};
  if (book.roofline)
    json["roofline"] = {{"name", html::Cell(book.roofline->name)},
                        {"bandwidth", Rounded(book.roofline->bandwidth_gbps)},
                        {"tflops", Rounded(book.roofline->tflops)},
                        {"precision", html::Cell(book.roofline->precision)},
                        {"measured", book.roofline->measured}};
  if (book.data_sheet)
    json["roofline"]["sheet"] = {
        {"bandwidth", Rounded(book.data_sheet->bandwidth_gbps)},
        {"tflops", Rounded(book.data_sheet->tflops)}};
  return json;
}

// The listed samples, one list per column.
Json RowsJson(const Book& book, const Digest& digest) {
  Json json{{"part", "rows"}};
  for (const size_t i : digest.listed) {
    const BookSample& sample = book.samples[i];
    const record::Outcome& outcome = sample.outcome;
    json["index"].push_back(i);
    json["run"].push_back(sample.run);
    json["problem"].push_back(sample.problem);
    json["sample"].push_back(outcome.sample);
    json["name"].push_back(html::Cell(outcome.candidate_name));
    json["verdict"].push_back(CategoryOf(outcome));
    json["speedup"].push_back(
        Rounded(SpeedupOf(sample).value_or(std::nan(""))));
    json["wall"].push_back(
        Rounded(outcome.wall_speedup.value_or(std::nan(""))));
    json["wall_us"].push_back(
        Rounded(outcome.candidate_wall_us.value_or(std::nan(""))));
    json["us"].push_back(Rounded(outcome.candidate_us.value_or(std::nan(""))));
    json["usd"].push_back(Rounded(outcome.usd.value_or(std::nan(""))));
    json["reason"].push_back(html::Cell(outcome.reason));
  }
  return json;
}

Json TalliesJson(const Digest& digest) {
  Json samples = Json::array();
  for (const std::vector<Tally>& of_problem : digest.tallies) {
    Json counts = Json::array();
    for (const Tally& tally : of_problem) counts.push_back(tally.samples);
    samples.push_back(counts);
  }
  return {{"part", "tallies"}, {"samples", samples}};
}

// Not where it is the code and nothing else.
void AddAnswer(const Book& book, size_t detail, Json* json) {
  if (detail >= book.answers.size()) return;
  const std::string& answer = book.answers[detail];
  if (!answer.empty() && answer != book.details[detail].candidate.source)
    (*json)["answer"] = html::Visible(base::Shorten(answer, kMaxAnswer));
}

void AddDetails(const Book& book, const Digest& digest, Writer* writer,
                Payload* payload) {
  size_t refusals = 0;
  for (const size_t i : digest.important) {
    const BookSample& sample = book.samples[i];
    if (!sample.detail || refusals >= kMaxRefusals) continue;
    const record::Evaluation& evaluation = book.details[*sample.detail];
    Json json = DetailJson(book.runs[sample.run], sample, evaluation);
    AddAnswer(book, *sample.detail, &json);
    json["part"] = "detail";
    json["index"] = i;
    if (writer->Add(std::move(json), evaluation.candidate.source))
      ++payload->details;
    else
      ++refusals;
  }
}

}  // namespace

Payload MakePayload(const Book& book, const Digest& digest, size_t max_bytes) {
  Payload payload;
  Writer writer(max_bytes / 4 * 3);
  if (writer.Add(NamesJson(book)) && writer.Add(RowsJson(book, digest)) &&
      writer.Add(TalliesJson(digest))) {
    for (size_t i = 0; i < book.problems.size(); ++i) {
      Json json = ProblemJson(book.problems[i]);
      json["part"] = "problem";
      json["index"] = i;

      if (!writer.Add(json, book.problems[i].source)) writer.Add(json);
    }
    AddDetails(book, digest, &writer, &payload);
  }
  // Those without a row as well: nothing leads to them.
  for (const BookSample& sample : book.samples)
    payload.left_out += sample.detail ? 1 : 0;
  payload.left_out -= payload.details;
  payload.base64 = writer.Finish();
  return payload;
}

}  // namespace kb::report
