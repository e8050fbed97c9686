// SPDX-License-Identifier: Apache-2.0

/// Repairs that touch fillers only (identity-documents §6, steps 2 and 4).
enum FillerRuns {
  /// Letters that engines read where many fillers follow each other.
  private static let misreadFillers = Set("KCES".utf8)
  /// From so many on, a run at the end of a name cannot be a name.
  private static let runMin = 4
  /// A run of different letters must hold so many equal neighbours, or stand beyond the name: KEES and ECKES are names.
  private static let equalNeighboursMin = 3

  /// The position from which a name field's end is a run of misread fillers; nil without one.
  ///
  /// The run stands at the very end, fillers may interrupt it, and each of its pieces repeats one letter.
  static func misreadRun(in field: ArraySlice<UInt8>) -> Int? {
    var start = field.endIndex
    var longest = 0
    while let piece = lastPiece(of: field[..<start]) {
      guard isRepetition(piece) || longest == 0 && (isNoise(piece) || isBeyondName(piece, in: field)) else { break }
      longest = max(longest, piece.count)
      start = piece.startIndex
      guard start > field.startIndex, field[start - 1].isFiller else { break }
    }
    return longest >= runMin ? start : nil
  }

  /// The last stretch of misreadable letters, with the fillers behind it left out.
  private static func lastPiece(of field: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let last = field.lastIndex(where: { !$0.isFiller }), misreadFillers.contains(field[last]) else { return nil }
    var start = last
    while start > field.startIndex, field[start - 1] == field[last] { start -= 1 }
    let repetition = field[start...last]
    if repetition.count >= runMin { return repetition }
    while start > field.startIndex, misreadFillers.contains(field[start - 1]) { start -= 1 }
    guard start == field.startIndex || field[start - 1].isFiller else { return nil }
    return field[start...last]
  }

  private static func isRepetition(_ piece: ArraySlice<UInt8>) -> Bool {
    piece.allSatisfy { $0 == piece.first }
  }

  /// No name has three fillers before a component: what follows them is no name.
  private static func isBeyondName(_ piece: ArraySlice<UInt8>, in field: ArraySlice<UInt8>) -> Bool {
    piece.count >= runMin && field[..<piece.startIndex].suffix(3).count(where: \.isFiller) == 3
  }

  private static func isNoise(_ piece: ArraySlice<UInt8>) -> Bool {
    guard piece.count >= runMin else { return false }
    var equal = 1
    for index in piece.indices.dropFirst() {
      equal = piece[index] == piece[index - 1] ? equal + 1 : 1
      if equal >= equalNeighboursMin { return true }
    }
    return false
  }

  /// Where a line of the wrong length gains or loses fillers: its longest run, the last one of equals.
  ///
  /// - Returns: nil when no run is there, or when it has too few fillers to lose.
  static func repairRange(in line: [UInt8], to length: Int) -> Range<Int>? {
    var longest: Range<Int>?
    var start: Int?
    for index in line.indices {
      guard line[index].isFiller else {
        start = nil
        continue
      }
      let run = (start ?? index)..<index + 1
      start = run.lowerBound
      if run.count >= longest?.count ?? 2 { longest = run }
    }
    guard let longest, longest.count > line.count - length else { return nil }
    return longest
  }
}
