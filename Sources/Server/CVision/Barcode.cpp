// SPDX-License-Identifier: Apache-2.0

#define ZX_USE_UTF8

#include "Guard.hpp"
#include "Stacked.hpp"

#include <ZXing/BitMatrix.h>
#include <ZXing/CharacterSet.h>
#include <ZXing/MultiFormatWriter.h>
#include <ZXing/ReadBarcode.h>
#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

using namespace cvision;

namespace {

/// Error correction of QR codes as ZXing counts it, 0…8: this is QR's level M, about 15 % of the symbol.
constexpr int qr_correction = 4;
/// Light modules around the symbol (ISO/IEC 18004 §6.3.8).
constexpr int qr_quiet_zone = 4;

/// Pixels of what symbols are looked for in. ZXing holds four bytes a pixel and more: a matrix of modules and turned
/// copies of it. A card that is half as wide as such a picture still has two pixels and more in a module of 0.17 mm.
constexpr double pixelsMax = 6'000'000;

/// In grey, and smaller where it is too large.
cv::Mat sought(const cv::Mat &bgr) {
  cv::Mat grey, small;
  cv::cvtColor(bgr, grey, cv::COLOR_BGR2GRAY);
  const double share = std::sqrt(pixelsMax / double(grey.total()));
  if (share >= 1) return grey;
  cv::resize(grey, small, cv::Size(), share, share, cv::INTER_AREA);
  return small;
}

/// The least side of what ZXing makes black and white by the light around each pixel.
constexpr int sideMin = 40;
/// Above this longer side ZXing also looks in a picture with sides a third as long.
constexpr int thirdsMin = 500, third = 3;

ZXing::DecodeHints hints(ZXing::BarcodeFormat format) {
  ZXing::DecodeHints hints;
  hints.setFormats(format).setTryHarder(true).setTryRotate(true).setMaxNumberOfSymbols(1);
  return hints;
}

ZXing::ImageView view(const cv::Mat &grey) {
  return ZXing::ImageView(grey.data, grey.cols, grey.rows, ZXing::ImageFormat::Lum, int(grey.step));
}

/// The raw payload of the first valid result, which was found in `searched`.
cvision_status take(
  const ZXing::Results &results, const cv::Mat &searched, const cvision_frame *source, const char *absent,
  cvision_bytes *out, cvision_quad *quad) {
  const float across = float(source->bgr.cols) / float(searched.cols);
  const float down = float(source->bgr.rows) / float(searched.rows);
  for (const auto &result : results) {
    if (!result.isValid()) continue;
    const auto &bytes = result.bytes();
    out->data = static_cast<uint8_t *>(std::malloc(std::max<size_t>(1, bytes.size())));
    if (!out->data) return refuse(CVISION_FAILED, "memory");
    std::memcpy(out->data, bytes.data(), bytes.size());
    out->count = bytes.size();
    for (int i = 0; i < 4; i++) {
      quad->x[i] = float(result.position()[i].x) * across;
      quad->y[i] = float(result.position()[i].y) * down;
    }
    return CVISION_OK;
  }
  return refuse(CVISION_NOT_FOUND, absent);
}

cvision_status read_first(
  const cvision_frame *source, ZXing::BarcodeFormat format, const char *absent, cvision_bytes *out,
  cvision_quad *quad) {
  const cv::Mat grey = sought(source->bgr);
  return take(ZXing::ReadBarcodes(view(grey), hints(format)), grey, source, absent, out, quad);
}

}  // namespace

cvision_status cvision_read_pdf417(const cvision_frame *source, long *rows, cvision_bytes *out, cvision_quad *quad) {
  return guarded([&] {
    const char *absent = "no PDF417 symbol";
    cv::Mat grey = sought(source->bgr);
    while (true) {
      cv::Mat searched = grey;
      auto asked = hints(ZXing::BarcodeFormat::PDF417).setTryDownscale(false);
      long cost = 0;
      bool mayHold = true;
      if (std::min(grey.cols, grey.rows) >= sideMin) {
        blacken(searched);
        asked.setBinarizer(ZXing::Binarizer::BoolCast);
        cost = startRows(searched, *rows);
        mayHold = cost > 0 && cost <= *rows;
      }
      if (mayHold) {
        const auto status = take(ZXing::ReadBarcodes(view(searched), asked), searched, source, absent, out, quad);
        if (status != CVISION_NOT_FOUND) return status;
        *rows -= cost;
      }
      const cv::Size size(grey.cols / third, grey.rows / third);
      if (std::max(grey.cols, grey.rows) <= thirdsMin || std::min(size.width, size.height) == 0) break;
      cv::resize(grey(cv::Rect(0, 0, size.width * third, size.height * third)), grey, size, 0, 0, cv::INTER_AREA);
    }
    return refuse(CVISION_NOT_FOUND, absent);
  });
}

cvision_status cvision_read_qr(const cvision_frame *source, cvision_bytes *out, cvision_quad *quad) {
  return guarded([&] { return read_first(source, ZXing::BarcodeFormat::QRCode, "no QR symbol", out, quad); });
}

cvision_status cvision_read_code128(const cvision_frame *source, cvision_bytes *out, cvision_quad *quad) {
  // One symbol and no more: asked for several linear ones, ZXing 1.4 stops the process when two of them are equal.
  return guarded([&] { return read_first(source, ZXing::BarcodeFormat::Code128, "no Code 128 symbol", out, quad); });
}

cvision_status cvision_draw_qr(const uint8_t *text, size_t count, int module, cvision_frame **out) {
  return guarded([&] {
    // What the largest symbol of this level holds beside the mark that it is UTF-8 (version 40-M).
    if (count == 0 || count > 2329) return refuse(CVISION_BAD_INPUT, "1 to 2329 bytes");
    if (module < 1 || module > 32) return refuse(CVISION_BAD_INPUT, "1 to 32 pixels a module");
    ZXing::MultiFormatWriter writer(ZXing::BarcodeFormat::QRCode);
    writer.setEncoding(ZXing::CharacterSet::UTF8).setEccLevel(qr_correction).setMargin(qr_quiet_zone);
    const auto matrix = writer.encode(std::string(reinterpret_cast<const char *>(text), count), 1, 1);
    cv::Mat bgr(matrix.height() * module, matrix.width() * module, CV_8UC3, cv::Scalar::all(255));
    for (int y = 0; y < matrix.height(); y++)
      for (int x = 0; x < matrix.width(); x++)
        if (matrix.get(x, y)) bgr(cv::Rect(x * module, y * module, module, module)).setTo(cv::Scalar::all(0));
    *out = frame(std::move(bgr));
    return CVISION_OK;
  });
}
