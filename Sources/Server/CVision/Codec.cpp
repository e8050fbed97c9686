#include "Guard.hpp"

#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <jpeglib.h>
#include <png.h>

// libjpeg and libpng are called directly: OpenCV's own codec module would load a hundred more libraries at start,
// and it fills the missing part of a truncated JPEG with grey instead of refusing it.

using namespace cvision;

namespace {

/// A progressive file may carry thousands of scans over the same pixels; real ones have about ten.
constexpr int scansMax = 64;

/// What libjpeg may hold for the coefficients of a progressive file: three components of two bytes a pixel, and the
/// blocks that stick out at the edges.
long coefficientBytesMax(long pixels) { return pixels * 7 + (4L << 20); }

struct JPEGErrors {
  jpeg_error_mgr base;
  jmp_buf escape;
  bool truncated;
};

void fail(j_common_ptr info) { longjmp(reinterpret_cast<JPEGErrors *>(info->err)->escape, 1); }

void note(j_common_ptr info, int level) {
  // −1 is a warning of damaged data: here an image is whole or it is refused.
  if (level < 0) reinterpret_cast<JPEGErrors *>(info->err)->truncated = true;
}

void silent(j_common_ptr) {}

void watch(j_common_ptr info) {
  if (info->is_decompressor && reinterpret_cast<j_decompress_ptr>(info)->input_scan_number > scansMax) fail(info);
}

/// Decodes into `pixels` when libjpeg finds the same size as the caller, 8 bits, and grey or three colours. It compares
/// before anything is allocated for the picture. No C++ object lives across the jump.
bool decodeJPEG(const uint8_t *data, size_t count, int width, int height, cv::Mat &pixels) {
  jpeg_decompress_struct info;
  JPEGErrors errors;
  jpeg_progress_mgr progress;
  info.err = jpeg_std_error(&errors.base);
  errors.base.error_exit = fail;
  errors.base.emit_message = note;
  errors.base.output_message = silent;
  errors.truncated = false;
  if (setjmp(errors.escape)) {
    jpeg_destroy_decompress(&info);
    return false;
  }
  jpeg_create_decompress(&info);
  progress.progress_monitor = watch;
  info.progress = &progress;
  jpeg_mem_src(&info, data, static_cast<unsigned long>(count));
  jpeg_read_header(&info, TRUE);
  if (info.image_width != JDIMENSION(width) || info.image_height != JDIMENSION(height) || info.data_precision != 8 ||
      (info.num_components != 1 && info.num_components != 3)) {
    jpeg_destroy_decompress(&info);
    return false;
  }
  info.mem->max_memory_to_use = coefficientBytesMax(long(width) * height);
  info.out_color_space = JCS_EXT_BGR;
  jpeg_start_decompress(&info);
  pixels.create(int(info.output_height), int(info.output_width), CV_8UC3);
  while (info.output_scanline < info.output_height) {
    JSAMPROW row = pixels.ptr<uint8_t>(int(info.output_scanline));
    jpeg_read_scanlines(&info, &row, 1);
  }
  jpeg_finish_decompress(&info);
  jpeg_destroy_decompress(&info);
  return !errors.truncated;
}

bool encodeJPEG(const cv::Mat &pixels, int quality, unsigned char **data, unsigned long *count) {
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
  jpeg_mem_dest(&info, data, count);
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

/// A PNG (ISO/IEC 15948) with nothing but the chunks that make the picture. libpng inflates every text and profile chunk
/// that it meets, each to megabytes, before it returns a pixel, and its simplified interface takes no limit.
std::vector<uint8_t> pictureChunks(const uint8_t *data, size_t count) {
  static const char *const kept[] = {"IHDR", "PLTE", "IDAT", "IEND", "tRNS", "gAMA", "cHRM", "sRGB"};
  constexpr size_t signature = 8, frame = 12;
  std::vector<uint8_t> chunks(data, data + std::min(count, signature));
  chunks.reserve(count);
  for (size_t at = signature; count > at && count - at >= frame;) {
    size_t length = size_t(data[at]) << 24 | size_t(data[at + 1]) << 16 | size_t(data[at + 2]) << 8 | data[at + 3];
    if (length > count - at - frame) break;
    for (const char *name : kept)
      if (std::memcmp(data + at + 4, name, 4) == 0) chunks.insert(chunks.end(), data + at, data + at + frame + length);
    at += frame + length;
  }
  return chunks;
}

/// EXIF 2.32 §4.6.4, tag 0x0112: where the 0th row and column lie.
cv::Mat oriented(cv::Mat pixels, int orientation) {
  cv::Mat turned;
  switch (orientation) {
    case 2: cv::flip(pixels, turned, 1); return turned;
    case 3: cv::rotate(pixels, turned, cv::ROTATE_180); return turned;
    case 4: cv::flip(pixels, turned, 0); return turned;
    case 5: cv::transpose(pixels, turned); return turned;
    case 6: cv::rotate(pixels, turned, cv::ROTATE_90_CLOCKWISE); return turned;
    case 7: cv::transpose(pixels, turned); cv::rotate(turned, pixels, cv::ROTATE_180); return pixels;
    case 8: cv::rotate(pixels, turned, cv::ROTATE_90_COUNTERCLOCKWISE); return turned;
    default: return pixels;
  }
}

}  // namespace

cvision_status cvision_decode_jpeg(const uint8_t *data, size_t count, int width, int height, int orientation,
                                   cvision_frame **out) {
  return guarded([&] {
    cv::Mat pixels;
    if (!decodeJPEG(data, count, width, height, pixels)) return refuse(CVISION_BAD_INPUT, "not a whole JPEG");
    *out = frame(oriented(pixels, orientation));
    return CVISION_OK;
  });
}

cvision_status cvision_decode_png(const uint8_t *data, size_t count, int width, int height, int orientation,
                                  cvision_frame **out) {
  return guarded([&] {
    auto chunks = pictureChunks(data, count);
    png_image image;
    std::memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    if (!png_image_begin_read_from_memory(&image, chunks.data(), chunks.size()))
      return refuse(CVISION_BAD_INPUT, "not a PNG");
    if (image.width != png_uint_32(width) || image.height != png_uint_32(height)) {
      png_image_free(&image);
      return refuse(CVISION_BAD_INPUT, "not the size that was checked");
    }
    image.format = PNG_FORMAT_BGR;
    cv::Mat pixels(int(image.height), int(image.width), CV_8UC3);
    // Transparency is laid on white, as a viewer would show a scan.
    png_color white = {255, 255, 255};
    int read = png_image_finish_read(&image, &white, pixels.data, png_int_32(pixels.step), nullptr);
    bool warned = image.warning_or_error != 0;
    png_image_free(&image);
    if (!read || (warned && PNG_IMAGE_FAILED(image))) return refuse(CVISION_BAD_INPUT, "not a whole PNG");
    *out = frame(oriented(pixels, orientation));
    return CVISION_OK;
  });
}

cvision_status cvision_encode_jpeg(const cvision_frame *source, int quality, cvision_bytes *out) {
  return guarded([&] {
    unsigned char *data = nullptr;
    unsigned long count = 0;
    if (!encodeJPEG(source->bgr, quality, &data, &count)) {
      std::free(data);
      return refuse(CVISION_FAILED, "JPEG encoder");
    }
    *out = {data, count};
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
