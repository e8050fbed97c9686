// SPDX-License-Identifier: Apache-2.0

#include "LineLetters.hpp"

#include "Guard.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

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

/// Steps at which one code is the likeliest, where it is most so, and what another code had that was dropped for it.
struct Run {
  int code, from, to, best;
  float sure, rival = 0;
};

/// Neighbours stand five steps and more apart, with steps of nothing between them. What is as near as this, without
/// such a step, and unlikely, is the neighbour's own glyph read twice: 0 as O and 0, U as u and U.
constexpr int twinMax = 2;
constexpr float twinSureMax = 0.7F;

std::vector<Run> runsOf(const LineModel &model, const Likelihoods &line) {
  std::vector<Run> runs;
  for (int step = 0; step < line.steps; step++) {
    const int code = likeliest(line.at(step), line.codes);
    const float sure = line.at(step)[code];
    if (runs.empty() || runs.back().code != code) runs.push_back({code, step, step, step, sure});
    Run &run = runs.back();
    run.to = step + 1;
    if (sure > run.sure) run.sure = sure, run.best = step;
  }
  std::vector<Run> single;
  const auto isCharacter = [&](const Run &run) { return run.code != model.none && run.code != spaceCode; };
  for (const Run &run : runs) {
    const bool isTwin = !single.empty() && isCharacter(single.back()) && isCharacter(run)
      && run.best - single.back().best <= twinMax && std::min(run.sure, single.back().sure) < twinSureMax;
    if (!isTwin) {
      single.push_back(run);
      continue;
    }
    Run &before = single.back();
    Run kept = run.sure > before.sure ? run : before;
    kept.rival = std::max(kept.rival, std::min(run.sure, before.sure));
    kept.from = before.from, kept.to = run.to;
    before = kept;
  }
  return single;
}

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
  const std::vector<Run> runs = runsOf(model, line);
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
    if (run.code == model.none) {
      // Where no character is seen, another one was nearly seen: it may be missing, also at the ends of the line.
      const int after = i + 1 < runs.size() ? runs[i + 1].code : -1;
      for (int step = run.from; step < run.to; step++)
        word.certainty = std::min(word.certainty, 1 - rival(model, line, step, before, after));
      // The same character on both sides may be one that was read twice.
      if (before >= 0 && before == after) word.certainty = std::min(word.certainty, apart(model, line, run));
      continue;
    }
    if (run.code == spaceCode) {
      finish(float(run.from + run.to) / 2 * float(model.pool()));
    } else {
      const std::string &text = model.characters[size_t(run.code)];
      word.text += text;
      // A code without a character of its own leaves a hole in the word.
      const float sure = text.empty() ? 1 - run.sure : run.sure;
      word.certainty = std::min({word.certainty, sure, 1 - run.rival, 1 - twice(model, line, run)});
    }
    before = run.code;
  }
  finish(float(width));
  return out;
}

}  // namespace cvision

cvision_status cvision_line_letters(const char *const *characters, int codes, int none, const float *likelihoods,
                                    int steps, cvision_words *out) {
  using namespace cvision;
  return guarded([&] {
    *out = {};
    if (codes < 2 || none < 0 || none >= codes || steps < 0) return refuse(CVISION_BAD_INPUT, "codes and steps");
    LineModel model;
    model.none = none;
    model.characters.assign(characters, characters + codes);
    const Likelihoods line = {steps, codes, {likelihoods, likelihoods + size_t(steps) * size_t(codes)}};
    const std::vector<LineWord> read = words(model, line, steps);
    out->words = static_cast<cvision_word *>(std::calloc(std::max<size_t>(1, read.size()), sizeof(cvision_word)));
    if (!out->words) return refuse(CVISION_FAILED, "memory");
    for (const LineWord &word : read) {
      cvision_word &made = out->words[out->count++];
      std::strncpy(made.text, word.text.c_str(), sizeof made.text - 1);
      made.confidence = word.certainty;
      made.box = {word.from, 0, word.to - word.from, 1};
    }
    return CVISION_OK;
  });
}
