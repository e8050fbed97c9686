// SPDX-License-Identifier: Apache-2.0

#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>

#include <ZXing/BarcodeFormat.h>
#include <ZXing/BitMatrix.h>
#include <ZXing/CharacterSet.h>
#include <ZXing/MultiFormatWriter.h>

#include "CSpecimen.h"

/// Error correction of level 5, the least that AAMVA DL/ID 2020 D.3.2 recommends.
static const int correction_level = 5;

SpecimenBytes specimen_pdf417(const uint8_t *payload, size_t count, int32_t *columns, int32_t *rows) {
  try {
    const std::wstring text(payload, payload + count);
    ZXing::MultiFormatWriter writer(ZXing::BarcodeFormat::PDF417);
    writer.setEncoding(ZXing::CharacterSet::ISO8859_1).setEccLevel(correction_level).setMargin(0);
    const ZXing::BitMatrix matrix = writer.encode(text, 2, 1);
    SpecimenBytes bytes = {nullptr, static_cast<size_t>(matrix.width()) * matrix.height()};
    bytes.data = static_cast<uint8_t *>(std::malloc(bytes.count));
    if (!bytes.data) return {nullptr, 0};
    for (int y = 0; y < matrix.height(); y++) {
      for (int x = 0; x < matrix.width(); x++) bytes.data[y * matrix.width() + x] = matrix.get(x, y) ? 1 : 0;
    }
    *columns = matrix.width();
    *rows = matrix.height();
    return bytes;
  } catch (const std::exception &) {
    return {nullptr, 0};
  }
}

SpecimenBytes specimen_code128(const char *text) {
  try {
    const std::string ascii(text);
    ZXing::MultiFormatWriter writer(ZXing::BarcodeFormat::Code128);
    writer.setMargin(0);
    const ZXing::BitMatrix matrix = writer.encode(std::wstring(ascii.begin(), ascii.end()), 1, 1);
    SpecimenBytes bytes = {nullptr, static_cast<size_t>(matrix.width())};
    bytes.data = static_cast<uint8_t *>(std::malloc(bytes.count));
    if (!bytes.data) return {nullptr, 0};
    for (int x = 0; x < matrix.width(); x++) bytes.data[x] = matrix.get(x, 0) ? 1 : 0;
    return bytes;
  } catch (const std::exception &) {
    return {nullptr, 0};
  }
}
