// SPDX-License-Identifier: Apache-2.0

/// Computer vision behind one C header: JPEG and PNG codecs, OpenCV, Tesseract, ZXing-C++.
///
/// Rules of the boundary:
/// 1. No C++ exception crosses it: every call answers a `cvision_status`; `cvision_last_error()` says why, per thread.
/// 2. Handles are opaque. A `cvision_frame` belongs to one caller at a time; readers, cascades and models lock
///    themselves.
/// 3. Buffers handed out are freed with the function named beside them.
/// 4. Nothing here logs, and OpenCV and OpenMP are held to the calling thread.
#ifndef CVISION_H
#define CVISION_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  CVISION_OK = 0,
  CVISION_NOT_FOUND = 1,
  CVISION_BAD_INPUT = 2,
  CVISION_NO_MODEL = 3,
  CVISION_FAILED = 4,
} cvision_status;

/// What the last failing call on this thread said: a technical reason without image content. Never NULL.
const char *cvision_last_error(void);

/// Bytes made here. Free with `cvision_bytes_free`.
typedef struct {
  uint8_t *data;
  size_t count;
} cvision_bytes;
void cvision_bytes_free(cvision_bytes *bytes);

/// A rectangle in pixels of the frame it was found in.
typedef struct {
  float x, y, width, height;
} cvision_box;

/// Four corners, clockwise from the top left of the thing found.
typedef struct {
  float x[4], y[4];
} cvision_quad;

// MARK: confinement

/// Takes from this process for good what a decoder does not need: memory above `memory` bytes, more than `files` open
/// descriptors, written files, core files, the network, other processes and programs, and, where the kernel has Landlock
/// (Linux 5.13), all files but those in the system's folders and in `readable`, which ends with a null pointer.
/// Answers 0 when any of it is not possible.
int cvision_confine(uint64_t memory, uint64_t files, const char *const readable[]);
/// Starts `arguments[0]` with nothing open but one end of a socket, as its standard input and output, and standard error;
/// the other end is `channel`. It has a nice value of at least 10. Answers 0 when that fails.
int cvision_spawn(char *const arguments[], char *const environment[], int *process, int *channel);
/// From now on this process may use so many seconds of the processor before it is ended. Answers 0 when that fails.
int cvision_allow_processor(uint64_t seconds);
/// Gives what this process has freed back to the system. It holds the locks of all heaps meanwhile, so it is for a process
/// in which no other thread is waited for.
void cvision_return_memory(void);
/// Takes the pages of code and constants that this process has used out of its memory. They are read-only, and come
/// back from the program's files, most of them from the system's cache, as they are used again.
void cvision_return_code(void);

// MARK: frames

/// An 8-bit BGR picture.
typedef struct cvision_frame cvision_frame;

/// What the header of a file says of its picture.
typedef struct {
  int width, height;
  /// Samples a pixel as they are stored, 1 for a palette's index; and the bits of one.
  int components, depth;
  /// Scans of a JPEG; passes of a PNG, 1 or 7.
  int scans;
} cvision_header;

/// Decodes a whole JPEG or PNG; a truncated or damaged file is `CVISION_BAD_INPUT`. So is one in which the decoder finds
/// anything else than `checked`, which the caller read and holds to its limits: it compares before it allocates.
/// `orientation` is the EXIF value 1…8 and is applied; anything else counts as 1.
cvision_status cvision_decode_jpeg(const uint8_t *data, size_t count, const cvision_header *checked, int orientation,
                                   cvision_frame **out);
cvision_status cvision_decode_png(const uint8_t *data, size_t count, const cvision_header *checked, int orientation,
                                  cvision_frame **out);
/// The same with sides half as long, rounded up, in a quarter of the memory: of a JPEG the lower frequencies, of a PNG
/// the means of four pixels, and of one with Adam7's passes every second pixel of every second row. `checked` is of the
/// whole picture.
cvision_status cvision_decode_jpeg_halved(const uint8_t *data, size_t count, const cvision_header *checked,
                                          int orientation, cvision_frame **out);
cvision_status cvision_decode_png_halved(const uint8_t *data, size_t count, const cvision_header *checked,
                                         int orientation, cvision_frame **out);
/// A frame from packed BGR rows.
cvision_status cvision_frame_from_bgr(const uint8_t *data, int width, int height, cvision_frame **out);
void cvision_frame_free(cvision_frame *frame);
int cvision_frame_width(const cvision_frame *frame);
int cvision_frame_height(const cvision_frame *frame);

/// Baseline JPEG without any metadata but JFIF. `CVISION_NOT_FOUND` as soon as it takes more than `most` bytes.
cvision_status cvision_encode_jpeg(const cvision_frame *frame, int quality, size_t most, cvision_bytes *out);
cvision_status cvision_encode_png(const cvision_frame *frame, cvision_bytes *out);

/// A copy turned clockwise by `quarters` × 90°.
cvision_status cvision_rotated(const cvision_frame *frame, int quarters, cvision_frame **out);
/// A copy of the part of `box` that lies inside.
cvision_status cvision_cropped(const cvision_frame *frame, cvision_box box, cvision_frame **out);
/// A copy of the given width: box filter when smaller, cubic when larger.
cvision_status cvision_scaled(const cvision_frame *frame, int width, cvision_frame **out);
/// A copy with what differs from a blur of `radius` pixels (0…32) enlarged by `amount` (0…10).
cvision_status cvision_sharpened(const cvision_frame *frame, double radius, double amount, cvision_frame **out);
/// A copy with `margin` pixels more on each side, of the colour that the edge has there.
cvision_status cvision_bordered(const cvision_frame *frame, int margin, cvision_frame **out);
/// Luma (0.299 R + 0.587 G + 0.114 B) and chroma (max − min of R, G, B), each width × height bytes.
cvision_status cvision_planes(const cvision_frame *frame, uint8_t *luma, uint8_t *chroma);
/// How much of the energy of a picture's colour ripples is in one frequency (0…1), and the amplitude of that ripple in
/// log R − log B. Both are high for photographs of screens. `CVISION_BAD_INPUT` below 64 × 64 pixels.
cvision_status cvision_recapture(const cvision_frame *frame, float *share, float *amplitude);

/// How much likelier the least fitting part of a JPEG (32 × 16 pixels) is to have come into it after its first
/// compression than before, as a natural logarithm, and where that part lies when `orientation` is applied.
/// `CVISION_NOT_FOUND` where no earlier compression is seen, which says nothing of edits. `checked` is as of
/// `cvision_decode_jpeg`.
cvision_status cvision_edited_region(const uint8_t *data, size_t count, const cvision_header *checked, int orientation,
                                     float *evidence, cvision_box *region);

/// A grey copy in which only dark ink is left: coloured patterns and shadows are flattened to paper. `paper` (about
/// 200…240 of 255) is where ink ends: low drops faint patterns, high keeps faint print.
cvision_status cvision_ink(const cvision_frame *frame, double paper, cvision_frame **out);

/// Paints the part of `box` that lies inside white, in place.
cvision_status cvision_blank(cvision_frame *frame, cvision_box box);

// MARK: documents

/// The four-sided thing of a card's or page's shape that is large and whose sides lie on edges. `share` is its part of the
/// frame's area.
cvision_status cvision_find_document(const cvision_frame *frame, cvision_quad *quad, float *share);
/// The inside of `quad`, warped to `width` × `height`.
cvision_status cvision_rectified(
  const cvision_frame *frame, cvision_quad quad, int width, int height, cvision_frame **out);
/// Where the corners of `part` lie after `cvision_rectified` of `quad`. Both must be convex and not flat.
cvision_status cvision_projected(cvision_quad quad, int width, int height, const cvision_quad *part, cvision_quad *out);

// MARK: screens

/// A grey copy in which whatever differs from its surroundings is dark on white: light print on a dark ground and dark
/// print on a light one look alike, and bands of light, shadows and glare are gone. Made for print that is 20…45 pixels
/// high; with `has_bars`, linear barcodes that are higher than that are gone too.
cvision_status cvision_print(const cvision_frame *frame, int has_bars, cvision_frame **out);

#define CVISION_SCREENS_MAX 6
typedef struct {
  cvision_quad quads[CVISION_SCREENS_MAX];
  int count;
} cvision_screens;

/// Lit four-sided things of a phone screen's shape, the likeliest first; none is no failure.
cvision_status cvision_find_screens(const cvision_frame *frame, cvision_screens *out);

// MARK: machine-readable zone

#define CVISION_ZONE_ROWS 3
#define CVISION_ZONE_COLUMNS 44
#define CVISION_ZONE_GLYPHS 37

/// A machine-readable zone cut by its fixed pitch.
typedef struct {
  int rows, columns;
  /// Pixels of the frame from one glyph to the next, on average.
  float pitch;
  /// Mean over all cells of the best fit.
  float fit;
  /// Corners in the frame, clockwise from the zone's own top left: the zone reads from the first corner to the second.
  cvision_quad quad;
} cvision_zone;

/// Finds rows of evenly spaced glyphs, at any angle and on gently curved pages, and measures them. No outline of the
/// document is needed. `CVISION_NOT_FOUND` when there is no such zone. Time and memory are bounded by the frame's size.
/// `scores` has room for `ROWS` × `COLUMNS` × `GLYPHS` numbers: how well each of the 37 glyphs, in the order `0…9 A…Z <`,
/// fits each cell (−1…1). They are no member of the zone, because Swift takes an array in a struct for a tuple, and
/// compiles one of 4,884 members for a minute and a half.
cvision_status cvision_read_zone(const cvision_frame *frame, cvision_zone *out, float *scores);
/// One row of the zone last measured, straightened and enlarged, for another reader.
cvision_status cvision_zone_strip(const cvision_frame *frame, const cvision_zone *zone, cvision_frame **out);

// MARK: text

typedef struct cvision_reader cvision_reader;

typedef struct {
  char text[96];
  float confidence;
  cvision_box box;
  int line;
} cvision_word;

typedef struct {
  cvision_word *words;
  size_t count;
} cvision_words;
void cvision_words_free(cvision_words *words);

/// A pool of Tesseract engines; at most `idle_max` are kept when idle. NULL `data_path` means Tesseract's own.
cvision_status cvision_reader_create(
  const char *data_path, const char *language, int idle_max, cvision_reader **out);
void cvision_reader_free(cvision_reader *reader);
/// Words with boxes. `segmentation` is Tesseract's page segmentation mode, `alphabet` NULL or the only characters.
/// `limit_ms` is processor time, which other work on the machine does not use up; layout is never broken off.
cvision_status cvision_read_words(
  cvision_reader *reader, const cvision_frame *frame, int segmentation, const char *alphabet, int limit_ms,
  cvision_words *out);

/// One character; those of one word have its number.
typedef struct {
  char text[8];
  float confidence;
  cvision_box box;
  int word;
} cvision_symbol;

typedef struct {
  cvision_symbol *symbols;
  size_t count;
} cvision_symbols;
void cvision_symbols_free(cvision_symbols *symbols);

/// The same, character by character.
cvision_status cvision_read_symbols(
  cvision_reader *reader, const cvision_frame *frame, int segmentation, const char *alphabet, int limit_ms,
  cvision_symbols *out);

/// Reads one line at a time with its diacritics, with Tesseract's network for Latin script (`Latin.traineddata`, or
/// `script/Latin.traineddata`) in `data_path` or, when that is NULL, where Tesseract's data usually are. Where there is
/// none, `eng` reads, which knows few diacritics, and `*is_latin` is 0. The network is run here, not by Tesseract, and
/// without its dictionaries: names are no words of a language. One reader serves any number of threads.
typedef struct cvision_line_reader cvision_line_reader;
cvision_status cvision_line_reader_create(const char *data_path, cvision_line_reader **out, int *is_latin);
void cvision_line_reader_free(cvision_line_reader *reader);
/// Whether a model of Latin script is where `cvision_line_reader_create` looks for it. CVISION_NO_MODEL when the only
/// files of its name cannot be used, because they are cut off or of another architecture.
cvision_status cvision_has_latin_model(const char *data_path, int *found);
/// Lines of print in `ink`, which is dark on white (`cvision_ink`), each read by itself. Words of one line have its
/// number and stand left to right; confidence is the network's for the character of a word that it is least sure of,
/// and no frequency of errors. When `limit_ms` of processor time are over, finding the lines included, the rest of the
/// lines is left out.
cvision_status cvision_read_lines(
  const cvision_line_reader *reader, const cvision_frame *ink, int limit_ms, cvision_words *out);

/// What `cvision_read_lines` makes of the likelihoods of its network: `steps` × `codes` numbers, those of a step sum to 1.
/// `characters` has the text of each code, of which 0 is the space and `none` means that no character is seen. Boxes are
/// in steps.
cvision_status cvision_line_letters(const char *const *characters, int codes, int none, const float *likelihoods,
                                    int steps, cvision_words *out);

// MARK: barcodes

/// Where a stacked symbol may be that is too askew to be read as it lies: the largest long rectangle of dense edges, with
/// a margin, its long side across.
cvision_status cvision_find_symbol(const cvision_frame *frame, cvision_quad *quad);

/// The raw payload of the first PDF417 symbol.
/// - Parameter rows: how many rows may be searched for code words behind something like a start pattern. Those that were
///   searched for nothing are taken off; a picture with more than are left is not searched.
cvision_status cvision_read_pdf417(const cvision_frame *frame, long *rows, cvision_bytes *out, cvision_quad *quad);
/// The raw payload of the first Code 128 symbol (ISO/IEC 15417).
cvision_status cvision_read_code128(const cvision_frame *frame, cvision_bytes *out, cvision_quad *quad);
/// The raw payload of the first QR symbol.
cvision_status cvision_read_qr(const cvision_frame *frame, cvision_bytes *out, cvision_quad *quad);
/// `text` (UTF-8) as a QR symbol of error correction M with its quiet zone, `module` pixels a module. More than 2329
/// bytes are `CVISION_BAD_INPUT`.
cvision_status cvision_draw_qr(const uint8_t *text, size_t count, int module, cvision_frame **out);

// MARK: faces

typedef struct {
  cvision_box box;
  float score;
  /// Right eye, left eye (as the image shows them, left to right); `has_eyes` is 0 when they were not seen.
  float eye_x[2], eye_y[2];
  int has_eyes;
  /// The detector's own row, needed for alignment by `cvision_embed`.
  float row[15];
} cvision_face;

#define CVISION_FACES_MAX 16
typedef struct {
  cvision_face faces[CVISION_FACES_MAX];
  int count;
} cvision_faces;

/// Haar cascades for faces and (optional, may be NULL) eyes.
typedef struct cvision_cascade cvision_cascade;
cvision_status cvision_cascade_load(const char *face_path, const char *eye_path, cvision_cascade **out);
void cvision_cascade_free(cvision_cascade *cascade);
cvision_status cvision_cascade_detect(cvision_cascade *cascade, const cvision_frame *frame, cvision_faces *out);

/// Which faces are looked for: how wide they are at least and at most, as shares of the frame's width. Searching for small
/// ones costs most.
typedef struct {
  float least, most;
} cvision_face_search;
cvision_status cvision_cascade_seek(
  cvision_cascade *cascade, const cvision_frame *frame, cvision_face_search search, cvision_faces *out);

/// A YuNet-format detector (outputs `loc`, `conf`, `iou`), run on a square of `side` pixels.
typedef struct cvision_detector cvision_detector;
cvision_status cvision_detector_load(const char *path, int side, float score_min, cvision_detector **out);
void cvision_detector_free(cvision_detector *detector);
cvision_status cvision_detector_detect(cvision_detector *detector, const cvision_frame *frame, cvision_faces *out);

/// An SFace-format recogniser: an aligned face of 112 × 112 in, a feature vector out.
typedef struct cvision_recogniser cvision_recogniser;
cvision_status cvision_recogniser_load(const char *path, cvision_recogniser **out);
void cvision_recogniser_free(cvision_recogniser *recogniser);
/// Cosine of the feature vectors of two faces, −1…1.
cvision_status cvision_recogniser_compare(
  cvision_recogniser *recogniser, const cvision_frame *a, const cvision_face *face_a, const cvision_frame *b,
  const cvision_face *face_b, float *cosine);

/// An image classifier: 1 × 3 × side × side (BGR, 0…255) in, two or more class scores out.
typedef struct cvision_classifier cvision_classifier;
cvision_status cvision_classifier_load(const char *path, int side, cvision_classifier **out);
void cvision_classifier_free(cvision_classifier *classifier);
/// Softmax probability of class `wanted` for the part of the frame around `box`, enlarged by `margin`.
cvision_status cvision_classifier_score(
  cvision_classifier *classifier, const cvision_frame *frame, cvision_box box, float margin, int wanted, float *score);

#ifdef __cplusplus
}
#endif
#endif
