// SPDX-License-Identifier: Apache-2.0

import CVision
import Synchronization

/// A word that Tesseract saw.
struct OCRWord: Equatable, Sendable {
  var text: String
  /// 0…1.
  var confidence: Double
  var region: Region
}

/// A character that Tesseract saw.
struct OCRSymbol: Equatable, Sendable {
  var text: String
  /// 0…1.
  var confidence: Double
  var region: Region
  /// Characters of one word have its number.
  var word: Int
}

/// Tesseract's engines, made when the first word is wanted and kept for the next ones.
final class TextReader: Sendable {
  /// Tesseract's page segmentation modes that are used here.
  enum Layout: Int32 {
    case automatic = 3
    case block = 6
    case line = 7
    case sparse = 11
  }

  private let dataPath: String?
  private let language: String
  private let idleMax: Int
  private let engines = Mutex<Engines?>(nil)

  /// - Parameters:
  ///   - dataPath: folder of the `.traineddata` files; nil for Tesseract's own.
  ///   - idleMax: engines kept when idle, about 15 MB each.
  init(dataPath: String?, language: String = "eng", idleMax: Int) {
    self.dataPath = dataPath
    self.language = language
    self.idleMax = idleMax
  }

  /// - Parameters:
  ///   - alphabet: the only characters that may be answered; nil for all.
  ///   - timeLimitMilliseconds: of the processor: on a busy machine a reading takes longer and says the same.
  /// - Throws: `CVisionFailure` when Tesseract or its data are not installed.
  func words(in frame: Frame, layout: Layout, alphabet: String? = nil, timeLimitMilliseconds: Int = 6000) throws
    -> [OCRWord]
  {
    let engines = try opened()
    var words = cvision_words()
    try CVisionFailure.check(
      cvision_read_words(
        engines.handle, frame.handle, layout.rawValue, alphabet, Int32(timeLimitMilliseconds), &words))
    defer { cvision_words_free(&words) }
    return UnsafeBufferPointer(start: words.words, count: words.count).map { word in
      let text = withUnsafeBytes(of: word.text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      return OCRWord(
        text: text, confidence: Double(max(0, min(1, word.confidence))), region: Region(word.box))
    }
  }

  /// The same, character by character.
  func symbols(in frame: Frame, layout: Layout, alphabet: String? = nil, timeLimitMilliseconds: Int = 6000) throws
    -> [OCRSymbol]
  {
    let engines = try opened()
    var symbols = cvision_symbols()
    try CVisionFailure.check(
      cvision_read_symbols(
        engines.handle, frame.handle, layout.rawValue, alphabet, Int32(timeLimitMilliseconds), &symbols))
    defer { cvision_symbols_free(&symbols) }
    return UnsafeBufferPointer(start: symbols.symbols, count: symbols.count).map { symbol in
      let text = withUnsafeBytes(of: symbol.text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      return OCRSymbol(
        text: text, confidence: Double(max(0, min(1, symbol.confidence))), region: Region(symbol.box),
        word: Int(symbol.word))
    }
  }

  private func opened() throws -> Engines {
    try engines.withLock { made in
      if let made { return made }
      let new = try Engines(dataPath: dataPath, language: language, idleMax: idleMax)
      made = new
      return new
    }
  }

  /// The pool on the other side of the C boundary, which locks itself.
  private final class Engines: Sendable {
    nonisolated(unsafe) let handle: OpaquePointer

    init(dataPath: String?, language: String, idleMax: Int) throws {
      var out: OpaquePointer?
      try CVisionFailure.check(cvision_reader_create(dataPath, language, Int32(idleMax), &out))
      guard let out else { throw CVisionFailure(reason: "no reader") }
      handle = out
    }

    deinit { cvision_reader_free(handle) }
  }
}
