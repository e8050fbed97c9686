// SPDX-License-Identifier: Apache-2.0

#include "Guard.hpp"
#include "JPEG.hpp"

#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <png.h>

// libjpeg and libpng are called directly: OpenCV's own codec module would load a hundred more libraries at start,
// and it fills the missing part of a truncated JPEG with grey instead of refusing it.

using namespace cvision;

namespace {

void countScans(j_common_ptr info) {
  int scansMax = reinterpret_cast<JPEGErrors *>(info->err)->scansMax;
  if (info->is_decompressor && reinterpret_cast<j_decompress_ptr>(info)->input_scan_number > scansMax) fail(info);
}

/// One row of CMYK as BGR. Adobe's programs store the complements of the inks (Technical Note 5116), and theirs are
/// nearly all such files. No colour profile is applied: what is read are shapes.
void convertCMYK(const JSAMPLE *inks, JDIMENSION width, bool isInverted, uint8_t *bgr) {
  for (JDIMENSION x = 0; x < width; ++x, inks += 4, bgr += 3) {
    int light[4];
    for (int ink = 0; ink < 4; ++ink) light[ink] = isInverted ? inks[ink] : 255 - inks[ink];
    for (int colour = 0; colour < 3; ++colour) bgr[2 - colour] = uint8_t((light[colour] * light[3] + 127) / 255);
  }
}

/// Decodes into `pixels` when libjpeg finds what the caller checked. It compares before anything is allocated for the
/// picture. With a `reduction` of 2 each side of the result is half as long, rounded up: of each block of 8 × 8 values
/// only the lower frequencies are made pixels (T.81 §A.3.3). No C++ object lives across the jump.
bool decodeJPEG(
  const uint8_t *data, size_t count, const cvision_header &checked, unsigned reduction, cv::Mat &pixels) {
  jpeg_decompress_struct info;
  JPEGErrors errors;
  jpeg_progress_mgr progress;
  info.err = jpeg_std_error(&errors.base);
  errors.base.error_exit = fail;
  errors.base.emit_message = failAtWarnings;
  errors.base.output_message = silent;
  errors.scansMax = checked.scans;
  if (setjmp(errors.escape)) {
    jpeg_destroy_decompress(&info);
    return false;
  }
  jpeg_create_decompress(&info);
  info.mem->max_memory_to_use = coefficientBytesMax(checked);
  progress.progress_monitor = countScans;
  info.progress = &progress;
  jpeg_mem_src(&info, data, static_cast<unsigned long>(count));
  jpeg_read_header(&info, TRUE);
  bool isChecked = info.image_width == JDIMENSION(checked.width) && info.image_height == JDIMENSION(checked.height) &&
                   info.num_components == checked.components && info.data_precision == checked.depth &&
                   info.arith_code == FALSE && checked.depth == 8 &&
                   (checked.components == 1 || checked.components == 3 || checked.components == 4);
  if (!isChecked) fail(reinterpret_cast<j_common_ptr>(&info));
  bool isCMYK = checked.components == 4;
  info.out_color_space = isCMYK ? JCS_CMYK : JCS_EXT_BGR;
  info.scale_num = 1;
  info.scale_denom = reduction;
  jpeg_start_decompress(&info);
  pixels.create(int(info.output_height), int(info.output_width), CV_8UC3);
  JSAMPROW inks = nullptr;
  if (isCMYK)
    inks = *info.mem->alloc_sarray(reinterpret_cast<j_common_ptr>(&info), JPOOL_IMAGE, info.output_width * 4, 1);
  while (info.output_scanline < info.output_height) {
    JSAMPROW row = pixels.ptr<uint8_t>(int(info.output_scanline));
    jpeg_read_scanlines(&info, isCMYK ? &inks : &row, 1);
    if (isCMYK) convertCMYK(inks, info.output_width, info.saw_Adobe_marker == TRUE, row);
  }
  jpeg_finish_decompress(&info);
  bool isWhole = info.input_scan_number == checked.scans;
  jpeg_destroy_decompress(&info);
  return isWhole;
}

/// Where a JPEG is written: memory that grows in place where it can, and no further than it may. libjpeg's own holds the
/// old and the new memory while it grows, and knows no limit.
struct JPEGSink {
  jpeg_destination_mgr base;
  uint8_t *data;
  size_t held, most;
  bool isFull;
};

void growSink(j_compress_ptr info, size_t held) {
  auto *sink = reinterpret_cast<JPEGSink *>(info->dest);
  const size_t used = sink->held;
  sink->isFull = held <= used;
  auto *data = sink->isFull ? nullptr : static_cast<uint8_t *>(std::realloc(sink->data, held));
  if (!data) fail(reinterpret_cast<j_common_ptr>(info));
  sink->data = data;
  sink->held = held;
  sink->base.next_output_byte = data + used;
  sink->base.free_in_buffer = held - used;
}

void beginSink(j_compress_ptr info) {
  growSink(info, std::min<size_t>(reinterpret_cast<JPEGSink *>(info->dest)->most, 64 << 10));
}

/// libjpeg asks when all that it has is written, whatever it says is left.
boolean enlargeSink(j_compress_ptr info) {
  auto *sink = reinterpret_cast<JPEGSink *>(info->dest);
  growSink(info, std::min(sink->most, sink->held * 2));
  return TRUE;
}

void endSink(j_compress_ptr) {}

/// `sink` has no memory yet, and outlives the jump.
bool encodeJPEG(const cv::Mat &pixels, int quality, JPEGSink &sink) {
  jpeg_compress_struct info;
  JPEGErrors errors;
  info.err = jpeg_std_error(&errors.base);
  errors.base.error_exit = fail;
  errors.base.output_message = silent;
  if (setjmp(errors.escape)) {
    jpeg_destroy_compress(&info);
    return false;
  }
  jpeg_create_compress(&info);
  sink.base.init_destination = beginSink;
  sink.base.empty_output_buffer = enlargeSink;
  sink.base.term_destination = endSink;
  info.dest = &sink.base;
  info.image_width = JDIMENSION(pixels.cols);
  info.image_height = JDIMENSION(pixels.rows);
  info.input_components = 3;
  info.in_color_space = JCS_EXT_BGR;
  jpeg_set_defaults(&info);
  jpeg_set_quality(&info, quality, TRUE);
  jpeg_start_compress(&info, TRUE);
  while (info.next_scanline < info.image_height) {
    JSAMPROW row = const_cast<uint8_t *>(pixels.ptr<uint8_t>(int(info.next_scanline)));
    jpeg_write_scanlines(&info, &row, 1);
  }
  jpeg_finish_compress(&info);
  jpeg_destroy_compress(&info);
  return true;
}

/// What a PNG's reader reads from, and what it may still allocate: rows and tables, never the picture.
struct PNGSource {
  const uint8_t *data;
  size_t count;
  size_t memoryLeft;
  /// What may still be read of the content of chunks.
  size_t contentLeft = SIZE_MAX;
  /// Of the signature, or of a chunk's content and check sum, what is still to be read; then a chunk's head follows.
  size_t partLeft = 8;
};

/// libpng reads the head of a chunk, its length and its name, at once (ISO/IEC 15948 §5.3), and nothing across its end.
void readPNG(png_structp png, png_bytep out, size_t count) {
  constexpr size_t checkBytes = 4;
  auto *source = static_cast<PNGSource *>(png_get_io_ptr(png));
  const bool isHead = source->partLeft == 0;
  const size_t content = isHead ? 0 : std::min(count, std::max(source->partLeft, checkBytes) - checkBytes);
  if (count > source->count || content > source->contentLeft) png_error(png, "cut off");
  std::memcpy(out, source->data, count);
  source->data += count;
  source->count -= count;
  source->contentLeft -= content;
  source->partLeft = isHead ? png_get_uint_32(out) + checkBytes : source->partLeft - std::min(count, source->partLeft);
}

void *allocatePNG(png_structp png, png_alloc_size_t count) {
  auto *source = static_cast<PNGSource *>(png_get_mem_ptr(png));
  if (count > source->memoryLeft) return nullptr;
  source->memoryLeft -= count;
  return std::malloc(count);
}

void freePNG(png_structp, void *memory) { std::free(memory); }

void failPNG(png_structp png, png_const_charp) { png_longjmp(png, 1); }

void silentPNG(png_structp, png_const_charp) {}

/// Holds a PNG's reader to the chunks that make the picture. Of itself libpng inflates every text and profile chunk that
/// it meets, each to megabytes, before it returns a pixel.
void limitPNG(png_structp png, const cvision_header &checked) {
  static const png_byte colour[] = "gAMA\0cHRM\0sRGB";
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_AS_DEFAULT, colour, 3);
  png_set_user_limits(png, png_uint_32(checked.width), png_uint_32(checked.height));
  png_set_chunk_malloc_max(png, 64 << 10);
  png_set_chunk_cache_max(png, 1);
}

/// Samples of one size and order, whatever is stored: 8 bits, BGR, in sRGB. Transparency is laid on white, as a viewer
/// would show a scan. Values without a gamma count as sRGB, those of 16 bits as linear, as libpng's own simplified
/// reader takes them.
void transformPNG(png_structp png, png_infop info, int depth) {
  png_set_alpha_mode_fixed(png, PNG_ALPHA_PNG, depth == 16 ? PNG_GAMMA_LINEAR : PNG_DEFAULT_sRGB);
  png_set_alpha_mode_fixed(png, PNG_ALPHA_PNG, PNG_DEFAULT_sRGB);
  png_set_expand(png);
  png_set_scale_16(png);
  png_set_gray_to_rgb(png);
  png_set_bgr(png);
  if (png_get_color_type(png, info) & PNG_COLOR_MASK_ALPHA || png_get_valid(png, info, PNG_INFO_tRNS)) {
    png_color_16 white = {0, 255, 255, 255, 255};
    png_set_background_fixed(png, &white, PNG_BACKGROUND_GAMMA_SCREEN, 0, 0);
  }
}

/// Content of chunks from the last row but one: two rows as they are, and what libpng reads ahead. What stands around
/// it does not count, as each byte may have a chunk of its own.
size_t tailBytesMax(const cvision_header &header) { return size_t(header.width) * 16 + (64 << 10); }

/// Each pixel is the mean of four of two rows; at an odd edge of two, or of one.
void halveRows(const uint8_t *upper, const uint8_t *lower, int width, uint8_t *out) {
  for (int x = 0; x < (width + 1) / 2; ++x) {
    const int left = 6 * x, right = std::min(2 * x + 1, width - 1) * 3;
    for (int colour = 0; colour < 3; ++colour)
      *out++ = uint8_t(
        (upper[left + colour] + upper[right + colour] + lower[left + colour] + lower[right + colour] + 2) / 4);
  }
}

/// Rows from the last but one on of the last pass: with the last row libpng inflates whatever follows it, which may be
/// a thousand times as long as the file.
void limitTail(PNGSource &source, const cvision_header &checked, int pass, int passes, int row, int rows) {
  if (pass + 1 == passes && row + 2 >= rows)
    source.contentLeft = std::min(source.contentLeft, tailBytesMax(checked));
}

/// Reads every row, and keeps a picture with sides half as long. `rows` holds two whole rows.
void readHalved(png_structp png, PNGSource &source, const cvision_header &checked, cv::Mat &rows, cv::Mat &pixels) {
  if (checked.scans == 1) {
    for (int y = 0; y < checked.height; ++y) {
      limitTail(source, checked, 0, 1, y, checked.height);
      png_read_row(png, rows.ptr<uint8_t>(y & 1), nullptr);
      if (y % 2 == 1 || y + 1 == checked.height)
        halveRows(rows.ptr<uint8_t>(0), rows.ptr<uint8_t>(y & 1), checked.width, pixels.ptr<uint8_t>(y / 2));
    }
    return;
  }
  // The first five passes of Adam7 (ISO/IEC 15948 §8.2) are every second pixel of every second row.
  constexpr int passesHalved = 5;
  for (int pass = 0; pass < checked.scans; ++pass) {
    const int columns = int(PNG_PASS_COLS(checked.width, pass));
    const int count = columns == 0 ? 0 : int(PNG_PASS_ROWS(checked.height, pass));
    for (int y = 0; y < count; ++y) {
      limitTail(source, checked, pass, checked.scans, y, count);
      png_read_row(png, rows.ptr<uint8_t>(0), nullptr);
      if (pass >= passesHalved) continue;
      uint8_t *out = pixels.ptr<uint8_t>(int(PNG_ROW_FROM_PASS_ROW(y, pass)) / 2);
      for (int x = 0; x < columns; ++x)
        std::memcpy(out + int(PNG_COL_FROM_PASS_COL(x, pass)) / 2 * 3, rows.ptr<uint8_t>(0) + 3 * x, 3);
    }
  }
}

void readWhole(png_structp png, PNGSource &source, const cvision_header &checked, cv::Mat &pixels) {
  for (int pass = 0; pass < checked.scans; ++pass)
    for (int row = 0; row < checked.height; ++row) {
      limitTail(source, checked, pass, checked.scans, row, checked.height);
      png_read_row(png, pixels.ptr<uint8_t>(row), nullptr);
    }
}

/// The same as `decodeJPEG` for PNG (ISO/IEC 15948). `rows` is memory for rows that are halved; it outlives the jump.
bool decodePNG(const uint8_t *data, size_t count, const cvision_header &checked, bool isHalved, cv::Mat &rows,
               cv::Mat &pixels) {
  // Two rows of at most eight bytes a pixel, once stored and once transformed; and zlib's window and tables of gamma.
  PNGSource source = {data, count, size_t(checked.width) * 64 + (1 << 20)};
  png_structp png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, nullptr, failPNG, silentPNG, &source, allocatePNG,
                                             freePNG);
  if (!png) return false;
  png_infop info = png_create_info_struct(png);
  if (!info || setjmp(png_jmpbuf(png))) {
    png_destroy_read_struct(&png, &info, nullptr);
    return false;
  }
  png_set_read_fn(png, &source, readPNG);
  limitPNG(png, checked);
  png_read_info(png, info);
  // Without libpng's own handling a pass has its own pixels only, and no whole picture is needed.
  const bool isAdam7 = png_get_interlace_type(png, info) == PNG_INTERLACE_ADAM7;
  const int passes = isHalved ? (isAdam7 ? PNG_INTERLACE_ADAM7_PASSES : 1) : png_set_interlace_handling(png);
  if (png_get_image_width(png, info) != png_uint_32(checked.width) ||
      png_get_image_height(png, info) != png_uint_32(checked.height) ||
      png_get_channels(png, info) != checked.components || png_get_bit_depth(png, info) != checked.depth ||
      passes != checked.scans)
    png_error(png, "not what was checked");
  transformPNG(png, info, checked.depth);
  png_read_update_info(png, info);
  if (png_get_rowbytes(png, info) != size_t(checked.width) * 3) png_error(png, "rows of another size");
  if (isHalved) {
    rows.create(2, checked.width, CV_8UC3);
    pixels.create((checked.height + 1) / 2, (checked.width + 1) / 2, CV_8UC3);
    readHalved(png, source, checked, rows, pixels);
  } else {
    pixels.create(checked.height, checked.width, CV_8UC3);
    readWhole(png, source, checked, pixels);
  }
  png_destroy_read_struct(&png, &info, nullptr);
  return true;
}

/// EXIF 2.32 §4.6.4, tag 0x0112: where the 0th row and column lie. In place where sides stay as they are; otherwise there
/// are two copies for a moment, and never three.
void orient(cv::Mat &pixels, int orientation) {
  if (orientation >= 5 && orientation <= 8) {
    cv::Mat turned;
    cv::transpose(pixels, turned);
    pixels = turned;
  }
  switch (orientation) {
    case 2: case 6: cv::flip(pixels, pixels, 1); break;
    case 3: case 7: cv::flip(pixels, pixels, -1); break;
    case 4: case 8: cv::flip(pixels, pixels, 0); break;
    default: break;
  }
}

cvision_status decodedJPEG(const uint8_t *data, size_t count, const cvision_header &checked, unsigned reduction,
                           int orientation, cvision_frame **out) {
  cv::Mat pixels;
  if (!decodeJPEG(data, count, checked, reduction, pixels))
    return refuse(CVISION_BAD_INPUT, "not the whole JPEG that was checked");
  orient(pixels, orientation);
  *out = frame(std::move(pixels));
  return CVISION_OK;
}

cvision_status decodedPNG(const uint8_t *data, size_t count, const cvision_header &checked, bool isHalved,
                          int orientation, cvision_frame **out) {
  cv::Mat rows, pixels;
  if (!decodePNG(data, count, checked, isHalved, rows, pixels))
    return refuse(CVISION_BAD_INPUT, "not the whole PNG that was checked");
  orient(pixels, orientation);
  *out = frame(std::move(pixels));
  return CVISION_OK;
}

}  // namespace

cvision_status cvision_decode_jpeg(const uint8_t *data, size_t count, const cvision_header *checked, int orientation,
                                   cvision_frame **out) {
  return guarded([&] { return decodedJPEG(data, count, *checked, 1, orientation, out); });
}

cvision_status cvision_decode_jpeg_halved(const uint8_t *data, size_t count, const cvision_header *checked,
                                          int orientation, cvision_frame **out) {
  return guarded([&] { return decodedJPEG(data, count, *checked, 2, orientation, out); });
}

cvision_status cvision_decode_png(const uint8_t *data, size_t count, const cvision_header *checked, int orientation,
                                  cvision_frame **out) {
  return guarded([&] { return decodedPNG(data, count, *checked, false, orientation, out); });
}

cvision_status cvision_decode_png_halved(const uint8_t *data, size_t count, const cvision_header *checked,
                                         int orientation, cvision_frame **out) {
  return guarded([&] { return decodedPNG(data, count, *checked, true, orientation, out); });
}

cvision_status cvision_encode_jpeg(const cvision_frame *source, int quality, size_t most, cvision_bytes *out) {
  return guarded([&] {
    JPEGSink sink = {};
    sink.most = most;
    if (!encodeJPEG(source->bgr, quality, sink)) {
      std::free(sink.data);
      return sink.isFull ? refuse(CVISION_NOT_FOUND, "a JPEG of more bytes") : refuse(CVISION_FAILED, "JPEG encoder");
    }
    *out = {sink.data, sink.held - sink.base.free_in_buffer};
    return CVISION_OK;
  });
}

cvision_status cvision_encode_png(const cvision_frame *source, cvision_bytes *out) {
  return guarded([&] {
    png_image image;
    std::memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image.width = png_uint_32(source->bgr.cols);
    image.height = png_uint_32(source->bgr.rows);
    image.format = PNG_FORMAT_BGR;
    // Asked without memory, libpng answers how much it needs.
    png_alloc_size_t size = 0;
    png_int_32 step = png_int_32(source->bgr.step);
    if (!png_image_write_to_memory(&image, nullptr, &size, 0, source->bgr.data, step, nullptr))
      return refuse(CVISION_FAILED, "PNG encoder");
    auto *data = static_cast<uint8_t *>(std::malloc(size));
    if (!data || !png_image_write_to_memory(&image, data, &size, 0, source->bgr.data, step, nullptr)) {
      std::free(data);
      return refuse(CVISION_FAILED, "PNG encoder");
    }
    *out = {data, size};
    return CVISION_OK;
  });
}
