#define ZX_USE_UTF8

#include "Guard.hpp"

#include <ZXing/ReadBarcode.h>
#include <opencv2/imgproc.hpp>

#include <cstdlib>
#include <cstring>

using namespace cvision;

cvision_status cvision_read_pdf417(const cvision_frame *source, cvision_bytes *out, cvision_quad *quad) {
  return guarded([&] {
    cv::Mat grey;
    cv::cvtColor(source->bgr, grey, cv::COLOR_BGR2GRAY);
    ZXing::DecodeHints hints;
    hints.setFormats(ZXing::BarcodeFormat::PDF417).setTryHarder(true).setTryRotate(true).setMaxNumberOfSymbols(1);
    auto results = ZXing::ReadBarcodes(
      ZXing::ImageView(grey.data, grey.cols, grey.rows, ZXing::ImageFormat::Lum, int(grey.step)), hints);
    for (const auto &result : results) {
      if (!result.isValid()) continue;
      const auto &bytes = result.bytes();
      out->data = static_cast<uint8_t *>(std::malloc(std::max<size_t>(1, bytes.size())));
      if (!out->data) return refuse(CVISION_FAILED, "memory");
      std::memcpy(out->data, bytes.data(), bytes.size());
      out->count = bytes.size();
      for (int i = 0; i < 4; i++) {
        quad->x[i] = float(result.position()[i].x);
        quad->y[i] = float(result.position()[i].y);
      }
      return CVISION_OK;
    }
    return refuse(CVISION_NOT_FOUND, "no PDF417 symbol");
  });
}
