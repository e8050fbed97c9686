#include "LineLetters.hpp"

#include <algorithm>

namespace cvision {

namespace {

constexpr int spaceCode = 0;

int likeliest(const float *values, int count) { return int(std::max_element(values, values + count) - values); }

/// The best likelihood of a character at a step, but for those that stand beside it.
float rival(const LineModel &model, const Likelihoods &line, int step, int before, int after) {
  const float *values = line.at(step);
  float best = 0;
  for (int code = 0; code < line.codes; code++)
    if (code != model.none && code != before && code != after) best = std::max(best, values[code]);
  return best;
}

struct Run {
  int code, from, to;
};

/// How likely it is that a character stands twice in a run of steps that was read as one: between two steps that show
/// it nothing was nearly seen.
float twice(const LineModel &model, const Likelihoods &line, const Run &run) {
  float most = 0;
  for (int gap = run.from + 1; gap + 1 < run.to; gap++) {
    float before = 0, after = 0;
    for (int step = run.from; step < gap; step++) before = std::max(before, line.at(step)[run.code]);
    for (int step = gap + 1; step < run.to; step++) after = std::max(after, line.at(step)[run.code]);
    most = std::max(most, std::min({before, after, line.at(gap)[model.none]}));
  }
  return most;
}

/// How sure it is that nothing was read between two characters.
float apart(const LineModel &model, const Likelihoods &line, const Run &run) {
  float most = 0;
  for (int step = run.from; step < run.to; step++) most = std::max(most, line.at(step)[model.none]);
  return most;
}

}  // namespace

std::vector<LineWord> words(const LineModel &model, const Likelihoods &line, int width) {
  std::vector<Run> runs;
  for (int step = 0; step < line.steps; step++) {
    const int code = likeliest(line.at(step), line.codes);
    if (!runs.empty() && runs.back().code == code) runs.back().to = step + 1;
    else runs.push_back({code, step, step + 1});
  }
  std::vector<LineWord> out;
  LineWord word;
  int before = -1;
  const auto finish = [&](float at) {
    word.to = at;
    if (!word.text.empty()) out.push_back(word);
    // What was nearly seen where no word was read may be missing from the one before it.
    else if (!out.empty()) out.back().certainty = std::min(out.back().certainty, word.certainty);
    word = LineWord();
    word.from = at;
  };
  for (size_t i = 0; i < runs.size(); i++) {
    const Run &run = runs[i];
    float sure = 0;
    if (run.code == model.none) {
      // Where no character is seen, another one was nearly seen: it may be missing, also at the ends of the line.
      const int after = i + 1 < runs.size() ? runs[i + 1].code : -1;
      for (int step = run.from; step < run.to; step++)
        word.certainty = std::min(word.certainty, 1 - rival(model, line, step, before, after));
      // The same character on both sides may be one that was read twice.
      if (before >= 0 && before == after) word.certainty = std::min(word.certainty, apart(model, line, run));
      continue;
    }
    for (int step = run.from; step < run.to; step++) sure = std::max(sure, line.at(step)[run.code]);
    if (run.code == spaceCode) {
      finish(float(run.from + run.to) / 2 * float(model.pool()));
    } else {
      const std::string &text = model.characters[size_t(run.code)];
      word.text += text;
      // A code without a character of its own leaves a hole in the word.
      word.certainty = std::min({word.certainty, text.empty() ? 1 - sure : sure, 1 - twice(model, line, run)});
    }
    before = run.code;
  }
  finish(float(width));
  return out;
}

}  // namespace cvision
