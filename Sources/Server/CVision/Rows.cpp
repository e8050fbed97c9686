// SPDX-License-Identifier: Apache-2.0

#include "Rows.hpp"

#include "Components.hpp"

#include <algorithm>
#include <cmath>

namespace cvision {

namespace {

constexpr int blobsMax = 6000;

std::vector<Blob> findBlobs(const cv::Mat &grey, double pitch) {
  // The window must be wider than a glyph is high and narrower than a shadow.
  int window = std::max(15, int(pitch * 1.6)) | 1;
  double least = pitch * 0.35, most = pitch * 1.9;
  std::vector<Blob> blobs;
  for (const Component &part : darkComponents(grey, window, 12)) {
    if (int(blobs.size()) == blobsMax) break;
    float w = float(part.width), h = float(part.height);
    if (h < least || h > most || w > h * 2.2f || w < h * 0.12f) continue;
    blobs.push_back({float(part.left) + w / 2, float(part.top) + h / 2, w, h});
  }
  return blobs;
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  auto middle = values.begin() + long(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Least squares of a quadratic; `bend` is held at 0 when the data are few.
void fitCurve(const std::vector<double> &u, const std::vector<double> &v, double out[3], bool bend) {
  int terms = bend ? 3 : 2;
  double scale = 1;
  for (double value : u) scale = std::max(scale, std::abs(value));
  cv::Mat left(int(u.size()), terms, CV_64F), right(int(u.size()), 1, CV_64F), solution;
  for (int i = 0; i < int(u.size()); i++) {
    double t = u[size_t(i)] / scale;
    left.at<double>(i, 0) = 1;
    left.at<double>(i, 1) = t;
    if (bend) left.at<double>(i, 2) = t * t;
    right.at<double>(i) = v[size_t(i)];
  }
  cv::solve(left, right, solution, cv::DECOMP_SVD);
  out[0] = solution.at<double>(0);
  out[1] = solution.at<double>(1) / scale;
  out[2] = bend ? solution.at<double>(2) / (scale * scale) : 0;
}

/// Chains each blob to the nearest one to its right of like height on the same line.
std::vector<std::vector<Blob>> chains(std::vector<Blob> blobs) {
  std::sort(blobs.begin(), blobs.end(), [](const Blob &l, const Blob &r) { return l.x < r.x; });
  int count = int(blobs.size());
  std::vector<int> next(size_t(count), -1), previous(size_t(count), -1);
  for (int i = 0; i < count; i++) {
    const Blob &from = blobs[size_t(i)];
    double best = 1e9;
    for (int j = i + 1; j < count; j++) {
      const Blob &to = blobs[size_t(j)];
      double dx = to.x - from.x, dy = std::abs(to.y - from.y), high = std::max(from.height, to.height);
      if (dx > high * 3.2) break;
      double low = std::min(from.height, to.height);
      if (dx < low * 0.45 || low < high * 0.55 || dy > high * 0.12 + dx * 0.14) continue;
      double cost = dx + 3 * dy;
      if (cost < best) best = cost, next[size_t(i)] = j;
    }
    int chosen = next[size_t(i)];
    if (chosen < 0) continue;
    int rival = previous[size_t(chosen)];
    if (rival >= 0) {
      // Two claim it: the nearer one keeps it.
      if (blobs[size_t(rival)].x > from.x) {
        next[size_t(i)] = -1;
        continue;
      }
      next[size_t(rival)] = -1;
    }
    previous[size_t(chosen)] = i;
  }
  std::vector<std::vector<Blob>> found;
  for (int i = 0; i < count; i++) {
    if (previous[size_t(i)] >= 0) continue;
    std::vector<Blob> chain;
    for (int at = i; at >= 0; at = next[size_t(at)]) chain.push_back(blobs[size_t(at)]);
    if (chain.size() >= 5) found.push_back(chain);
  }
  return found;
}

void fitLine(Row &row) {
  std::vector<double> x, y;
  for (const Blob &blob : row.blobs) x.push_back(blob.x), y.push_back(blob.y);
  double curve[3];
  fitCurve(x, y, curve, row.blobs.size() >= 20);
  row.a = curve[0], row.b = curve[1], row.c = curve[2];
}

/// Joins chains that continue one another on the same line.
std::vector<Row> joined(std::vector<std::vector<Blob>> pieces) {
  std::sort(pieces.begin(), pieces.end(), [](const auto &l, const auto &r) { return l.size() > r.size(); });
  std::vector<bool> used(pieces.size(), false);
  std::vector<Row> rows;
  for (size_t i = 0; i < pieces.size(); i++) {
    if (used[i] || pieces[i].size() < 6) continue;
    Row row;
    row.blobs = pieces[i];
    used[i] = true;
    bool grown = true;
    while (grown) {
      grown = false;
      fitLine(row);
      std::vector<double> heights;
      for (const Blob &blob : row.blobs) heights.push_back(blob.height);
      double high = median(heights);
      for (size_t j = 0; j < pieces.size(); j++) {
        if (used[j]) continue;
        const auto &piece = pieces[j];
        double left = row.blobs.front().x, right = row.blobs.back().x;
        double gap = std::max(piece.front().x - right, left - piece.back().x);
        if (gap < 0 || gap > high * 8) continue;
        bool fits = true;
        for (const Blob &blob : piece) {
          // Far from the fitted part a quadratic runs away: judge by the straight line through the nearer end.
          double end = piece.front().x > right ? right : left;
          double slope = row.b + 2 * row.c * end, line = row.y(end) + slope * (blob.x - end);
          if (std::abs(blob.y - line) > high * 0.35) fits = false;
          if (blob.height < high * 0.6 || blob.height > high * 1.5) fits = false;
        }
        if (!fits) continue;
        row.blobs.insert(row.blobs.end(), piece.begin(), piece.end());
        std::sort(row.blobs.begin(), row.blobs.end(), [](const Blob &l, const Blob &r) { return l.x < r.x; });
        used[j] = true;
        grown = true;
      }
    }
    rows.push_back(row);
  }
  return rows;
}

/// Finds the pitch, near the one that is expected, and numbers the blobs by it. False when they are not evenly spaced.
bool fitPitch(Row &row, double expected) {
  // Specks between glyphs and glyphs that run together mislead a count from one to the next: the pitch and the
  // place of a first glyph are those on which most blobs stand.
  double pitch = 0, anchor = 0, bestScore = -1;
  for (double tried = expected * 0.88; tried <= expected * 1.12; tried += expected * 0.004) {
    for (const Blob &from : row.blobs) {
      double score = 0;
      for (const Blob &blob : row.blobs) {
        double k = (blob.x - from.x) / tried, off = std::abs(k - std::round(k));
        if (off < 0.3) score += 1 - off;
      }
      if (score > bestScore) bestScore = score, pitch = tried, anchor = from.x;
    }
  }
  std::vector<double> k, x;
  for (const Blob &blob : row.blobs) {
    double guess = (blob.x - anchor) / pitch, whole = std::round(guess);
    if (std::abs(guess - whole) < 0.35) k.push_back(whole), x.push_back(blob.x);
  }
  if (k.size() < 6) return false;
  double curve[3];
  for (int round = 0; round < 4; round++) {
    fitCurve(k, x, curve, k.size() >= 16);
    std::vector<double> keptK, keptX;
    for (const Blob &blob : row.blobs) {
      // Invert the curve by two Newton steps, then keep what stands near a whole number.
      double guess = (blob.x - curve[0]) / curve[1];
      for (int i = 0; i < 3; i++)
        guess -= (curve[0] + curve[1] * guess + curve[2] * guess * guess - blob.x) / (curve[1] + 2 * curve[2] * guess);
      double whole = std::round(guess);
      if (std::abs(guess - whole) < (round == 0 ? 0.35 : 0.24)) keptK.push_back(whole), keptX.push_back(blob.x);
    }
    if (keptK.size() < 6) return false;
    k = keptK, x = keptX;
  }
  if (k.size() < row.blobs.size() * 0.7) return false;
  double low = *std::min_element(k.begin(), k.end()), top = *std::max_element(k.begin(), k.end());
  row.first = curve[0] + curve[1] * low + curve[2] * low * low;
  row.pitch = curve[1] + 2 * curve[2] * low;
  row.bend = curve[2];
  row.count = int(top - low) + 1;
  return row.pitch > 4 && double(k.size()) > row.count * 0.5;
}

}  // namespace

std::vector<Row> findRows(const cv::Mat &grey, double pitch, int glyphsMin) {
  std::vector<Row> found;
  for (Row &row : joined(chains(findBlobs(grey, pitch)))) {
    if (int(row.blobs.size()) * 10 < glyphsMin * 6) continue;
    if (fitPitch(row, pitch) && row.count >= glyphsMin) found.push_back(row);
  }
  std::sort(found.begin(), found.end(), [](const Row &l, const Row &r) {
    return l.y(l.x(l.count / 2.0)) < r.y(r.x(r.count / 2.0));
  });
  return found;
}

}  // namespace cvision
