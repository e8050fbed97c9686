// SPDX-License-Identifier: Apache-2.0

#include "CCodecs.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <png.h>

// MARK: JPEG

typedef struct {
  struct jpeg_error_mgr base;
  jmp_buf escape;
} jpeg_errors;

static void fail(j_common_ptr info) { longjmp(((jpeg_errors *)info->err)->escape, 1); }
static void count_warnings(j_common_ptr info, int level) {
  if (level < 0) info->err->num_warnings++;
}
static void silent(j_common_ptr info) { (void)info; }

codecs_finding codecs_find_jpeg(const uint8_t *data, size_t count, long pixels_max) {
  static _Thread_local codecs_finding finding;
  static const codecs_finding nothing;
  struct jpeg_decompress_struct info;
  jpeg_errors errors;
  finding = nothing;
  info.err = jpeg_std_error(&errors.base);
  errors.base.error_exit = fail;
  errors.base.emit_message = count_warnings;
  errors.base.output_message = silent;
  if (setjmp(errors.escape)) {
    jpeg_destroy_decompress(&info);
    return finding;
  }
  jpeg_create_decompress(&info);
  jpeg_mem_src(&info, data, count);
  jpeg_read_header(&info, TRUE);
  finding.opened = 1;
  finding.width = (int)info.image_width;
  finding.height = (int)info.image_height;
  finding.components = info.num_components;
  finding.depth = info.data_precision;
  finding.arithmetic = info.arith_code;
  if ((long)info.image_width * (long)info.image_height <= pixels_max) {
    info.out_color_space = info.jpeg_color_space;
    jpeg_start_decompress(&info);
    JSAMPARRAY row = (*info.mem->alloc_sarray)(
      (j_common_ptr)&info, JPOOL_IMAGE, info.output_width * (JDIMENSION)info.output_components, 1);
    while (info.output_scanline < info.output_height) jpeg_read_scanlines(&info, row, 1);
    jpeg_finish_decompress(&info);
    finding.scans = info.input_scan_number;
    finding.decoded = finding.whole = info.err->num_warnings == 0;
  }
  jpeg_destroy_decompress(&info);
  return finding;
}

codecs_file codecs_make_jpeg(int width, int height, int traits) {
  struct jpeg_compress_struct info;
  struct jpeg_error_mgr errors;
  unsigned char *data = NULL;
  unsigned long count = 0;
  // One scan a component, first to last coefficient.
  jpeg_scan_info apart[3] = {{1, {0}, 0, 63, 0, 0}, {1, {1}, 0, 63, 0, 0}, {1, {2}, 0, 63, 0, 0}};
  info.err = jpeg_std_error(&errors);
  jpeg_create_compress(&info);
  jpeg_mem_dest(&info, &data, &count);
  info.image_width = (JDIMENSION)width;
  info.image_height = (JDIMENSION)height;
  info.input_components = traits & CODECS_GREY ? 1 : traits & CODECS_CMYK ? 4 : 3;
  info.in_color_space = traits & CODECS_GREY ? JCS_GRAYSCALE : traits & CODECS_CMYK ? JCS_CMYK : JCS_RGB;
  jpeg_set_defaults(&info);
  jpeg_set_quality(&info, 60, TRUE);
  if (!(traits & CODECS_HALVED)) info.comp_info[0].h_samp_factor = info.comp_info[0].v_samp_factor = 1;
  if (traits & CODECS_PROGRESSIVE) jpeg_simple_progression(&info);
  if (traits & CODECS_APART) {
    info.scan_info = apart;
    info.num_scans = 3;
  }
  if (traits & CODECS_RESTARTS) info.restart_interval = 3;
  info.arith_code = traits & CODECS_ARITHMETIC ? TRUE : FALSE;
  jpeg_start_compress(&info, TRUE);
  jpeg_write_marker(&info, JPEG_COM, (const JOCTET *)"a comment", 9);
  JSAMPROW row = malloc((size_t)width * 4);
  unsigned state = 1;
  while (info.next_scanline < info.image_height) {
    for (int at = 0; at < width * info.input_components; ++at)
      row[at] = traits & CODECS_FLAT ? 128 : (JSAMPLE)((state = state * 1103515245u + 12345u) >> 24);
    jpeg_write_scanlines(&info, &row, 1);
  }
  free(row);
  jpeg_finish_compress(&info);
  jpeg_destroy_compress(&info);
  return (codecs_file){data, count};
}

// MARK: PNG

typedef struct {
  const uint8_t *data;
  size_t count;
} png_source;

static void read_png(png_structp png, png_bytep out, size_t count) {
  png_source *source = png_get_io_ptr(png);
  if (count > source->count) png_error(png, "cut off");
  memcpy(out, source->data, count);
  source->data += count;
  source->count -= count;
}

static void fail_png(png_structp png, png_const_charp reason) {
  (void)reason;
  png_longjmp(png, 1);
}

static void silent_png(png_structp png, png_const_charp reason) { (void)png, (void)reason; }

// Only for speed: libpng allocates and clears what a chunk claims to hold, up to 2 GiB, before it reads it.
static png_voidp allocate_png(png_structp png, png_alloc_size_t count) {
  (void)png;
  return count > 8 << 20 ? NULL : malloc(count);
}

static void free_png(png_structp png, png_voidp memory) {
  (void)png;
  free(memory);
}

codecs_finding codecs_find_png(const uint8_t *data, size_t count, long pixels_max) {
  static _Thread_local codecs_finding finding;
  static const codecs_finding nothing;
  static _Thread_local png_bytep row;
  finding = nothing;
  row = NULL;
  png_source source = {data, count};
  png_structp png = png_create_read_struct_2(
    PNG_LIBPNG_VER_STRING, NULL, fail_png, silent_png, NULL, allocate_png, free_png);
  png_infop info = png_create_info_struct(png);
  if (setjmp(png_jmpbuf(png))) {
    png_destroy_read_struct(&png, &info, NULL);
    free(row);
    return finding;
  }
  png_set_read_fn(png, &source, read_png);
  png_read_info(png, info);
  finding.opened = 1;
  finding.width = (int)png_get_image_width(png, info);
  finding.height = (int)png_get_image_height(png, info);
  finding.components = png_get_channels(png, info);
  finding.depth = png_get_bit_depth(png, info);
  finding.scans = png_set_interlace_handling(png);
  if ((long)finding.width * finding.height <= pixels_max) {
    png_read_update_info(png, info);
    row = malloc(png_get_rowbytes(png, info));
    for (int pass = 0; pass < finding.scans; ++pass)
      for (int at = 0; at < finding.height; ++at) png_read_row(png, row, NULL);
    finding.decoded = 1;
    png_read_end(png, NULL);
    finding.whole = 1;
  }
  png_destroy_read_struct(&png, &info, NULL);
  free(row);
  return finding;
}

static void write_png(png_structp png, png_bytep data, size_t count) {
  codecs_file *file = png_get_io_ptr(png);
  file->data = realloc(file->data, file->count + count);
  memcpy(file->data + file->count, data, count);
  file->count += count;
}

static void flush_png(png_structp png) { (void)png; }

codecs_file codecs_make_png(int width, int height, int colour, int depth, int interlaced, int extras) {
  codecs_file file = {NULL, 0};
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  png_infop info = png_create_info_struct(png);
  png_set_write_fn(png, &file, write_png, flush_png);
  png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, depth, colour, interlaced, 0, 0);
  png_color palette[256];
  png_byte alpha[256];
  for (int at = 0; at < 256; ++at) {
    palette[at] = (png_color){(png_byte)at, (png_byte)(at * 131), (png_byte)(at * 77)};
    alpha[at] = (png_byte)(at * 37);
  }
  if (colour == PNG_COLOR_TYPE_PALETTE) png_set_PLTE(png, info, palette, 1 << depth);
  if (extras) {
    png_color_16 clear = {0, 1, 1, 1, 1};
    if (colour == PNG_COLOR_TYPE_PALETTE) png_set_tRNS(png, info, alpha, 1 << depth, NULL);
    if (colour == PNG_COLOR_TYPE_GRAY || colour == PNG_COLOR_TYPE_RGB) png_set_tRNS(png, info, NULL, 0, &clear);
    png_set_gAMA_fixed(png, info, 45455);
    png_set_pHYs(png, info, 3000, 3000, PNG_RESOLUTION_METER);
    png_text text = {.compression = PNG_TEXT_COMPRESSION_zTXt, .key = "Comment", .text = "a text", .text_length = 6};
    png_set_text(png, info, &text, 1);
  }
  png_write_info(png, info);
  size_t size = png_get_rowbytes(png, info);
  png_bytepp rows = malloc((size_t)height * sizeof *rows);
  unsigned state = 1;
  for (int row = 0; row < height; ++row) {
    rows[row] = malloc(size);
    for (size_t at = 0; at < size; ++at) rows[row][at] = (png_byte)((state = state * 1103515245u + 12345u) >> 24);
  }
  png_write_image(png, rows);
  png_write_end(png, info);
  for (int row = 0; row < height; ++row) free(rows[row]);
  free(rows);
  png_destroy_write_struct(&png, &info);
  return file;
}
