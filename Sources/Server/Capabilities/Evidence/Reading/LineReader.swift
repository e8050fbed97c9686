import CVision
import Synchronization

/// Words that stand side by side, left to right: a caption, a value, or both.
struct PrintLine: Equatable, Sendable {
  var words: [OCRWord]

  var region: Region { words.dropFirst().reduce(words[0].region) { $0.union($1.region) } }
  var text: String { words.map(\.text).joined(separator: " ") }
}

/// Reads print line by line with Tesseract's model of Latin script, which knows its diacritics.
///
/// Engines are made when the first line is wanted and kept for the next ones.
final class LineReader: Sendable {
  private let dataPath: String?
  private let idleMax: Int
  private let engines = Mutex<Engines?>(nil)

  /// - Parameters:
  ///   - dataPath: folder of the `.traineddata` files; nil for the usual ones.
  ///   - idleMax: engines kept when idle, about 5 MB each.
  init(dataPath: String?, idleMax: Int) {
    self.dataPath = dataPath
    self.idleMax = idleMax
  }

  /// Lines of a picture of ink, from the top to the bottom.
  /// - Parameter timeLimitMilliseconds: of the processor; lines that are left then are not read.
  /// - Throws: `CVisionFailure` when Tesseract has data neither of Latin script nor of English.
  func lines(in ink: Frame, timeLimitMilliseconds: Int = 3000) throws -> [PrintLine] {
    let engines = try opened()
    var words = cvision_words()
    try CVisionFailure.check(
      cvision_read_lines(engines.handle, ink.handle, Int32(timeLimitMilliseconds), &words))
    defer { cvision_words_free(&words) }
    var lines: [PrintLine] = []
    var number: Int32?
    for word in UnsafeBufferPointer(start: words.words, count: words.count) {
      let text = withUnsafeBytes(of: word.text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      let seen = OCRWord(text: text, confidence: Double(max(0, min(1, word.confidence))),
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

  /// Whether the model of Latin script is where a reader of this folder looks for it. No engine is made.
  static func hasLatinModel(dataPath: String?) -> Bool {
    var found: Int32 = 0
    return cvision_has_latin_model(dataPath, &found) == CVISION_OK && found != 0
  }

  /// Whether lines are read with the model of Latin script; false when only that of English is installed.
  func isLatin() throws -> Bool { try opened().isLatin }

  private func opened() throws -> Engines {
    try engines.withLock { made in
      if let made { return made }
      let new = try Engines(dataPath: dataPath, idleMax: idleMax)
      made = new
      return new
    }
  }

  /// The pool on the other side of the C boundary, which locks itself.
  private final class Engines: Sendable {
    nonisolated(unsafe) let handle: OpaquePointer
    let isLatin: Bool

    init(dataPath: String?, idleMax: Int) throws {
      var out: OpaquePointer?
      var latin: Int32 = 0
      try CVisionFailure.check(cvision_line_reader_create(dataPath, Int32(idleMax), &out, &latin))
      guard let out else { throw CVisionFailure(reason: "no line reader") }
      handle = out
      isLatin = latin != 0
    }

    deinit { cvision_reader_free(handle) }
  }
}
