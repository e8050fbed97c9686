// SPDX-License-Identifier: Apache-2.0

extension SpellingCost {
  /// A word as it is compared: what is worked out once, not once per comparison.
  ///
  /// The letters of all but the longest words stand in it, so that to compare one of a million words neither asks the
  /// memory for more nor counts references.
  struct Spelling: Sendable, Equatable {
    private static let cellsMax = 16

    private let letterCells: SIMD16<UInt8>
    private let soundCells: SIMD16<UInt8>
    let letterSet: LetterSet
    let soundSet: LetterSet
    let letterCount: Int
    let soundCount: Int
    /// It is read letter by letter.
    let isPlain: Bool
    /// Nil when the cells hold all of it.
    private let whole: Whole?

    /// The letters of a long word, or of one that is asked for them time and again.
    private final class Whole: Sendable {
      let letters: [UInt8]
      let sounds: [UInt8]

      init(_ letters: [UInt8], _ sounds: [UInt8]) { (self.letters, self.sounds) = (letters, sounds) }
    }

    init(_ letters: [UInt8]) { self.init(letters, keepsArrays: true) }

    /// - Parameter keepsArrays: whether `letters` and `sounds` take no work, though they are short.
    init(_ letters: [UInt8], keepsArrays: Bool) {
      let sounds = SpellingCost.sound(letters)
      letterSet = LetterSet(letters)
      soundSet = LetterSet(sounds)
      isPlain = sounds == letters
      (letterCount, soundCount) = (letters.count, sounds.count)
      (letterCells, soundCells) = (Self.cells(letters), Self.cells(sounds))
      whole = keepsArrays || max(letterCount, soundCount) > Self.cellsMax ? Whole(letters, sounds) : nil
    }

    private static func cells(_ letters: [UInt8]) -> SIMD16<UInt8> {
      var cells = SIMD16<UInt8>()
      for (place, letter) in letters.prefix(cellsMax).enumerated() { cells[place] = letter }
      return cells
    }

    private static func array(_ cells: SIMD16<UInt8>, _ count: Int) -> [UInt8] { (0..<count).map { cells[$0] } }

    var letters: [UInt8] { whole?.letters ?? Self.array(letterCells, letterCount) }
    var sounds: [UInt8] { whole?.sounds ?? Self.array(soundCells, soundCount) }

    func withLetters<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
      if let whole { return whole.letters.withUnsafeBufferPointer(body) }
      return withUnsafeBytes(of: letterCells) { body(.init(rebasing: $0.bindMemory(to: UInt8.self)[..<letterCount])) }
    }

    func withSounds<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
      if let whole { return whole.sounds.withUnsafeBufferPointer(body) }
      return withUnsafeBytes(of: soundCells) { body(.init(rebasing: $0.bindMemory(to: UInt8.self)[..<soundCount])) }
    }

    /// A sum of something of all that it holds, for what has to be in the processor's own memory.
    var touched: Int { Int(letterCells[0]) &+ Int(soundCells[15]) &+ letterCount &+ (whole == nil ? 0 : 1) }

    /// Whether the letters are the same.
    static func == (one: Spelling, other: Spelling) -> Bool {
      guard one.letterCount == other.letterCount, one.letterCells == other.letterCells else { return false }
      return one.letterCount <= cellsMax || one.letters == other.letters
    }
  }
}
