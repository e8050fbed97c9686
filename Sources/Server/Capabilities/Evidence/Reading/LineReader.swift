// SPDX-License-Identifier: Apache-2.0

import CVision
import Synchronization

/// Words that stand side by side, left to right: a caption, a value, or both.
struct PrintLine: Equatable, Sendable {
  var words: [OCRWord]

  var region: Region { words.dropFirst().reduce(words[0].region) { $0.union($1.region) } }
  var text: String { words.map(\.text).joined(separator: " ") }
}

/// What of Tesseract's model of Latin script is installed.
package enum LatinModel: Equatable, Sendable {
  case usable, missing
  /// A file of its name is there that is cut off or of another architecture. The reason names the file and no folder.
  case unusable(reason: String)
}

/// Reads print line by line with Tesseract's model of Latin script, which knows its diacritics.
///
/// The model, 1 MB, is loaded when the first line is wanted, and serves all threads from then on.
final class LineReader: Sendable {
  private let dataPath: String?
  private let model = Mutex<Model?>(nil)

  /// - Parameter dataPath: folder of the `.traineddata` files; nil for the usual ones.
  init(dataPath: String?) {
    self.dataPath = dataPath
  }

  /// Lines of a picture of ink, from the top to the bottom.
  /// - Parameter timeLimitMilliseconds: of the processor; lines that are left then are not read.
  /// - Throws: `CVisionFailure` when Tesseract has data neither of Latin script nor of English.
  func lines(in ink: Frame, timeLimitMilliseconds: Int = 3000) throws -> [PrintLine] {
    let model = try opened()
    var words = cvision_words()
    try CVisionFailure.check(
      cvision_read_lines(model.handle, ink.handle, Int32(timeLimitMilliseconds), &words))
    defer { cvision_words_free(&words) }
    var lines: [PrintLine] = []
    var number: Int32?
    for word in UnsafeBufferPointer(start: words.words, count: words.count) {
      let text = withUnsafeBytes(of: word.text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      let seen = OCRWord(
        text: text, confidence: Double(max(0, min(1, word.confidence))),
        region: Region(word.box))
      if word.line == number {
        lines[lines.count - 1].words.append(seen)
      } else {
        lines.append(PrintLine(words: [seen]))
      }
      number = word.line
    }
    return lines
  }

  /// Whether the model of Latin script is where a reader of this folder looks for it.
  static func latinModel(dataPath: String?) -> LatinModel {
    var found: Int32 = 0
    do {
      try CVisionFailure.check(cvision_has_latin_model(dataPath, &found))
      return found != 0 ? .usable : .missing
    } catch {
      return .unusable(reason: (error as? CVisionFailure)?.reason ?? "it cannot be read")
    }
  }

  /// Whether lines are read with the model of Latin script; false when only that of English is installed.
  func isLatin() throws -> Bool { try opened().isLatin }

  private func opened() throws -> Model {
    try model.withLock { loaded in
      if let loaded { return loaded }
      let new = try Model(dataPath: dataPath)
      loaded = new
      return new
    }
  }

  /// The model on the other side of the C boundary, which nothing changes.
  private final class Model: Sendable {
    nonisolated(unsafe) let handle: OpaquePointer
    let isLatin: Bool

    init(dataPath: String?) throws {
      var out: OpaquePointer?
      var latin: Int32 = 0
      try CVisionFailure.check(cvision_line_reader_create(dataPath, &out, &latin))
      guard let out else { throw CVisionFailure(reason: "no line reader") }
      handle = out
      isLatin = latin != 0
    }

    deinit { cvision_line_reader_free(handle) }
  }
}
