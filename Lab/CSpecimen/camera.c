// SPDX-License-Identifier: Apache-2.0

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

void specimen_warp(SpecimenCanvas *canvas, SpecimenCanvas *source, const double *m) {
  int stride, source_stride;
  uint8_t *pixels = specimen_pixels(canvas, &stride);
  const uint8_t *from = specimen_pixels(source, &source_stride);
  for (int y = 0; y < canvas->height; y++) {
    uint8_t *row = pixels + (size_t)y * stride;
    for (int x = 0; x < canvas->width; x++) {
      const double px = x + 0.5, py = y + 0.5;
      const double w = m[6] * px + m[7] * py + m[8];
      if (w <= 0) continue;
      const double u = (m[0] * px + m[1] * py + m[2]) / w - 0.5;
      const double v = (m[3] * px + m[4] * py + m[5]) / w - 0.5;
      if (!(u > -1 && v > -1 && u < source->width && v < source->height)) continue;
      const int left = (int)floor(u), top = (int)floor(v);
      const int fx = (int)((u - left) * 256), fy = (int)((v - top) * 256);
      int sum[4] = {0, 0, 0, 0};
      for (int j = 0; j < 2; j++) {
        for (int i = 0; i < 2; i++) {
          const int sx = left + i, sy = top + j;
          if (sx < 0 || sy < 0 || sx >= source->width || sy >= source->height) continue;
          const int weight = (i ? fx : 256 - fx) * (j ? fy : 256 - fy);
          const uint8_t *p = from + (size_t)sy * source_stride + (size_t)sx * 4;
          sum[0] += weight * p[0];
          sum[1] += weight * p[1];
          sum[2] += weight * p[2];
          sum[3] += weight * p[3];
        }
      }
      const int behind = 255 - (sum[3] >> 16);
      for (int c = 0; c < 4; c++) {
        const int value = (sum[c] + 32768) / 65536 + row[4 * x + c] * behind / 255;
        row[4 * x + c] = value > 255 ? 255 : (uint8_t)value;
      }
    }
  }
  cairo_surface_mark_dirty(canvas->surface);
}

/// One pass over `lines` lines of `length` pixels; `step` bytes from pixel to pixel, `next` from line to line.
static void blur_lines(
  uint8_t *pixels, int lines, int length, size_t step, size_t next, const int *kernel, int radius, uint8_t *line) {
  for (int l = 0; l < lines; l++) {
    uint8_t *start = pixels + (size_t)l * next;
    for (int i = 0; i < length; i++) memcpy(line + 4 * (size_t)i, start + (size_t)i * step, 4);
    for (int i = 0; i < length; i++) {
      int sum[4] = {32768, 32768, 32768, 32768};
      for (int k = -radius; k <= radius; k++) {
        int at = i + k;
        at = at < 0 ? 0 : at >= length ? length - 1 : at;
        const int weight = kernel[k + radius];
        const uint8_t *p = line + 4 * (size_t)at;
        sum[0] += weight * p[0];
        sum[1] += weight * p[1];
        sum[2] += weight * p[2];
        sum[3] += weight * p[3];
      }
      uint8_t *to = start + (size_t)i * step;
      for (int c = 0; c < 4; c++) to[c] = (uint8_t)(sum[c] >> 16);
    }
  }
}

void specimen_blur(SpecimenCanvas *canvas, double sigma) {
  if (!(sigma > 0.05) || sigma > 64) return;
  const int radius = (int)ceil(sigma * 2.5);
  int *kernel = malloc(sizeof(int) * (2 * (size_t)radius + 1));
  const int longest = canvas->width > canvas->height ? canvas->width : canvas->height;
  uint8_t *line = malloc(4 * (size_t)longest);
  if (kernel && line) {
    double total = 0;
    for (int k = -radius; k <= radius; k++) total += exp(-k * k / (2 * sigma * sigma));
    int left = 65536;
    for (int k = -radius; k <= radius; k++) {
      kernel[k + radius] = (int)(65536 * exp(-k * k / (2 * sigma * sigma)) / total);
      left -= kernel[k + radius];
    }
    kernel[radius] += left;  // so that an even area keeps its value exactly
    int stride;
    uint8_t *pixels = specimen_pixels(canvas, &stride);
    blur_lines(pixels, canvas->height, canvas->width, 4, (size_t)stride, kernel, radius, line);
    blur_lines(pixels, canvas->width, canvas->height, (size_t)stride, 4, kernel, radius, line);
    cairo_surface_mark_dirty(canvas->surface);
  }
  free(kernel);
  free(line);
}

void specimen_moire(SpecimenCanvas *canvas, double period, double angle, double strength) {
  if (!(period > 1) || !(strength > 0)) return;
  int stride;
  uint8_t *pixels = specimen_pixels(canvas, &stride);
  const double cx = canvas->width * 0.5, cy = canvas->height * 0.5, turn = 2 * M_PI / period;
  const double ux = cos(angle) * turn, uy = sin(angle) * turn;
  // Lenses bend the grid a little, so that the bands are curves.
  const double bend = turn * 0.25 / (cx + cy);
  for (int y = 0; y < canvas->height; y++) {
    uint8_t *p = pixels + (size_t)y * stride;
    for (int x = 0; x < canvas->width; x++, p += 4) {
      const double dx = x - cx, dy = y - cy;
      const double phase = ux * dx + uy * dy + bend * (dx * dx - dy * dy);
      const double ripple = 0.35 * sin(phase * 5.3 + 0.6 * dy * turn) * sin(0.9 * x + 0.4 * y);
      for (int c = 0; c < 3; c++)
        p[c] = specimen_clamp(p[c] * (1 - strength * (0.5 + 0.5 * sin(phase + c * 0.9) + ripple)));
    }
  }
  cairo_surface_mark_dirty(canvas->surface);
}

/// SplitMix64 (Steele, Lea, Flood 2014).
static uint64_t next_random(uint64_t *state) {
  uint64_t z = (*state += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/// Close to a standard normal deviate: the sum of four 16-bit uniforms (Irwin–Hall), centred and scaled.
static double next_normal(uint64_t *state) {
  const uint64_t r = next_random(state);
  const double sum = (double)((r & 0xFFFF) + ((r >> 16) & 0xFFFF) + ((r >> 32) & 0xFFFF) + (r >> 48));
  return (sum / 65535 - 2) * 1.7320508075688772;
}

void specimen_noise(SpecimenCanvas *canvas, double sigma, uint64_t seed) {
  int stride;
  uint8_t *pixels = specimen_pixels(canvas, &stride);
  uint64_t state = seed;
  for (int y = 0; y < canvas->height; y++) {
    uint8_t *p = pixels + (size_t)y * stride;
    for (int x = 0; x < canvas->width; x++, p += 4) {
      const double bright = next_normal(&state) * sigma;
      const double tint = next_normal(&state) * sigma * 0.5;
      p[0] = specimen_clamp(p[0] + bright + tint);
      p[1] = specimen_clamp(p[1] + bright);
      p[2] = specimen_clamp(p[2] + bright - tint);
      p[3] = 255;
    }
  }
  cairo_surface_mark_dirty(canvas->surface);
}
