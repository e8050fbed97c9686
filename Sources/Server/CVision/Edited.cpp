// SPDX-License-Identifier: Apache-2.0

// Regions of a JPEG that lack the traces of an earlier compression that the rest of it has.
//
// What was quantised with a step and then with a smaller one is still near multiples of the first step (J. Lukáš and
// J. Fridrich, Estimation of Primary Quantization Matrix in Double Compressed JPEG Images, 2003). What was put in
// afterwards and lies on another grid of blocks is not. A picture that was compressed once, was cropped or scaled
// between, or was compressed harder the second time tells nothing.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "Guard.hpp"
#include "JPEG.hpp"

using namespace cvision;

namespace {

/// Frequencies in the order of T.81 figure A.6 that are looked at, without the mean: higher ones are mostly 0.
constexpr int frequencies[] = {1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26,
                               33, 40, 48, 41, 34, 27, 20, 13, 6,  7,  14, 21, 28, 35, 42, 49, 56};
constexpr int stepMost = 40, valueMost = 2048 * 8;

/// Luma of a JPEG as it is stored: blocks of 64 quantised coefficients, and the steps they were quantised with. Of
/// blocks only those are here that lie wholly in the picture.
struct Luma {
  int across = 0, down = 0;
  std::vector<int16_t> values;
  std::array<int, 64> steps = {};
  /// Blocks in which a colour is at an end of its range: what was cut off there leaves no traces.
  std::vector<uint8_t> cut;
};

/// Reads coefficients first and pixels then. `luma` and `row` outlive the jump.
bool readLuma(const uint8_t *data, size_t count, const cvision_header &checked, Luma &luma, std::vector<uint8_t> &row) {
  jpeg_decompress_struct info;
  JPEGErrors errors;
  info.err = jpeg_std_error(&errors.base);
  errors.base.error_exit = fail;
  errors.base.emit_message = failAtWarnings;
  errors.base.output_message = silent;
  if (setjmp(errors.escape)) {
    jpeg_destroy_decompress(&info);
    return false;
  }
  jpeg_create_decompress(&info);
  info.mem->max_memory_to_use = coefficientBytesMax(checked);
  jpeg_mem_src(&info, data, static_cast<unsigned long>(count));
  jpeg_read_header(&info, TRUE);
  if (info.image_width != JDIMENSION(checked.width) || info.image_height != JDIMENSION(checked.height) ||
      info.num_components != 3 || info.jpeg_color_space != JCS_YCbCr || info.data_precision != 8 ||
      info.arith_code == TRUE || info.progressive_mode == TRUE)
    fail(reinterpret_cast<j_common_ptr>(&info));
  // libjpeg takes a file whose only scan leaves components out; those have no steps then. Luma is never the smaller one
  // in what cameras make, and its blocks would not be of 8 pixels.
  if (info.comps_in_scan != 3 || info.comp_info[0].h_samp_factor != info.max_h_samp_factor ||
      info.comp_info[0].v_samp_factor != info.max_v_samp_factor)
    fail(reinterpret_cast<j_common_ptr>(&info));
  jvirt_barray_ptr *arrays = jpeg_read_coefficients(&info);
  const jpeg_component_info &first = info.comp_info[0];
  if (first.quant_table == nullptr) fail(reinterpret_cast<j_common_ptr>(&info));
  // Blocks that stick out of the picture are filled anew at each compression, and show no earlier one.
  luma.across = checked.width / 8, luma.down = checked.height / 8;
  for (int i = 0; i < 64; i++) {
    // libjpeg takes a step of 0, which T.81 §B.2.4.1 forbids.
    if (first.quant_table->quantval[i] == 0) fail(reinterpret_cast<j_common_ptr>(&info));
    luma.steps[size_t(i)] = first.quant_table->quantval[i];
  }
  luma.values.resize(size_t(luma.across) * size_t(luma.down) * 64);
  luma.cut.assign(size_t(luma.across) * size_t(luma.down), 0);
  for (int y = 0; y < luma.down; y++) {
    JBLOCKARRAY blocks = info.mem->access_virt_barray(
      reinterpret_cast<j_common_ptr>(&info), arrays[0], JDIMENSION(y), 1, FALSE);
    std::copy(
      &blocks[0][0][0], &blocks[0][0][0] + luma.across * 64, luma.values.begin() + long(y) * luma.across * 64);
  }
  jpeg_finish_decompress(&info);
  jpeg_mem_src(&info, data, static_cast<unsigned long>(count));
  jpeg_read_header(&info, TRUE);
  info.out_color_space = JCS_EXT_BGR;
  jpeg_start_decompress(&info);
  row.resize(size_t(info.output_width) * 3);
  while (info.output_scanline < info.output_height) {
    JSAMPROW to = row.data();
    const int y = int(info.output_scanline);
    jpeg_read_scanlines(&info, &to, 1);
    if (y / 8 >= luma.down) continue;
    for (size_t at = 0; at < size_t(luma.across) * 24; at++)
      if (row[at] <= 1 || row[at] >= 254) luma.cut[size_t(y / 8) * size_t(luma.across) + at / 24] = 1;
  }
  jpeg_finish_decompress(&info);
  jpeg_destroy_decompress(&info);
  return true;
}

/// Multiples of a step, with what rounding puts beside them.
struct Lattice {
  int step = 0;
  double slack = 0;

  bool holds(int value) const { return std::abs(value - step * std::floor(double(value) / step + 0.5)) <= slack; }
  /// The least value that tells anything: less is near 0, which is a multiple of any step.
  int least() const { return int(slack) + 1; }
};

/// The earlier step of a frequency by how many of its values are near multiples; its step is 0 when there is none. Of a
/// picture that was compressed once most values are small and between 0 and the first multiple.
Lattice earlier(const Luma &luma, int frequency, double &chance) {
  constexpr double clearMin = 0.8, better = 0.02, chanceLeast = 0.02, chanceMost = 0.75;
  constexpr long countMin = 200;
  const int step = luma.steps[size_t(frequency)];
  // By the stored value.
  std::vector<long> counts(size_t(valueMost / step) + 1, 0);
  size_t most = 0;
  for (size_t at = size_t(frequency); at < luma.values.size(); at += 64) {
    const size_t stored = std::min(size_t(std::abs(int(luma.values[at]))), counts.size() - 1);
    counts[stored]++, most = std::max(most, stored);
  }
  Lattice best;
  double bestClear = 0;
  for (int tried = step + 2; tried <= stepMost; tried++) {
    const Lattice lattice = {tried, step / 2.0 + 1};
    if (tried < 1.5 * step || 2 * lattice.slack + 1 >= tried * 0.8) continue;
    long near = 0, all = 0;
    const int first = (lattice.least() + step - 1) / step * step;
    for (size_t stored = size_t(first / step); stored <= most; stored++)
      all += counts[stored], near += lattice.holds(int(stored) * step) ? counts[stored] : 0;
    if (all < countMin) continue;
    long hits = 0, places = 0;
    for (int value = first; value < lattice.least() + tried * step * 4; value += step)
      places++, hits += lattice.holds(value);
    const double byChance = std::max(chanceLeast, double(hits) / double(places));
    if (byChance > chanceMost) continue;
    const double clear = (double(near) / double(all) - byChance) / (1 - byChance);
    if (clear > bestClear + better) bestClear = clear, best = lattice, chance = byChance;
  }
  return bestClear < clearMin ? Lattice() : best;
}

/// Where the picture's top left lies after its orientation (EXIF 2.32 §4.6.4) was applied.
cvision_box oriented(const cvision_box &box, float width, float height, int orientation) {
  const float right = width - box.x - box.width, below = height - box.y - box.height;
  switch (orientation) {
    case 2: return {right, box.y, box.width, box.height};
    case 3: return {right, below, box.width, box.height};
    case 4: return {box.x, below, box.width, box.height};
    case 5: return {box.y, box.x, box.height, box.width};
    case 6: return {below, box.x, box.height, box.width};
    case 7: return {below, right, box.height, box.width};
    case 8: return {box.y, right, box.height, box.width};
    default: return box;
  }
}

}  // namespace

cvision_status cvision_edited_region(const uint8_t *data, size_t count, const cvision_header *checked, int orientation,
                                     float *evidence, cvision_box *region) {
  return guarded([&] {
    // Of a smaller part chance decides; a field of print is larger.
    constexpr int across = 4, down = 2;
    constexpr double holding = 0.97;
    Luma luma;
    std::vector<uint8_t> row;
    if (!readLuma(data, count, *checked, luma, row)) return refuse(CVISION_NOT_FOUND, "no baseline JPEG in colour");
    if (luma.across < across || luma.down < down) return refuse(CVISION_NOT_FOUND, "too small a picture");
    // How much likelier each block is to have been there from the first compression on, as a logarithm.
    std::vector<double> shown(luma.cut.size(), 0);
    int found = 0;
    for (int frequency : frequencies) {
      double chance = 0;
      const Lattice lattice = earlier(luma, frequency, chance);
      if (lattice.step == 0) continue;
      found++;
      // By the stored value.
      const int step = luma.steps[size_t(frequency)];
      std::vector<double> says(size_t(valueMost / step) + 1, 0);
      for (int stored = (lattice.least() + step - 1) / step; stored <= valueMost / step; stored++)
        says[size_t(stored)] =
          lattice.holds(stored * step) ? std::log(holding / chance) : std::log((1 - holding) / (1 - chance));
      for (size_t block = 0; block < shown.size(); block++) {
        const size_t stored = size_t(std::abs(int(luma.values[block * 64 + size_t(frequency)])));
        if (!luma.cut[block]) shown[block] += says[std::min(stored, says.size() - 1)];
      }
    }
    if (found == 0) return refuse(CVISION_NOT_FOUND, "no earlier compression is seen");
    double least = 0;
    int left = 0, top = 0;
    for (int y = 0; y + down <= luma.down; y++) {
      for (int x = 0; x + across <= luma.across; x++) {
        double sum = 0;
        for (int i = 0; i < down; i++)
          for (int j = 0; j < across; j++) sum += shown[size_t((y + i) * luma.across + x + j)];
        if (sum < least) least = sum, left = x, top = y;
      }
    }
    // Not the negative zero, which is written with its sign.
    *evidence = float(0 - least);
    const cvision_box box = {float(left) * 8, float(top) * 8, float(across) * 8, float(down) * 8};
    *region = oriented(box, float(checked->width), float(checked->height), orientation);
    return CVISION_OK;
  });
}
