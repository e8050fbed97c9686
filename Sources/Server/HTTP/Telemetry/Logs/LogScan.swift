// SPDX-License-Identifier: Apache-2.0

/// One pass over a text for `LogScrubber`: words are judged one by one, then what is left by its digits.
struct LogScan {
  private static let breaks = Set(" \t\r\n\"'(),;[]<>{}|=".utf8)
  private static let credentials: Set<String> = ["bearer", "basic", "negotiate", "dpop"]
  private static let secrets: Set<String> = [
    "password", "passwd", "secret", "token", "authorization", "apikey", "api_key", "api-key", "credential", "cookie",
    "pin",
  ]
  private static let codes: Set<String> = ["code", "otp", "passcode", "tan"]
  /// How many words after one of `codes` its number may come: *code is 123456*.
  private static let codeReach = 3
  /// Characters between two digits of one number.
  private static let separatorsMax = 2

  private let bytes: [UInt8]
  private var output: [UInt8] = []
  /// Where ids of ours stand in the output, whose digits are no number.
  private var ids: [Range<Int>] = []

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// A cheap look for the words that make the next one a secret.
  static func mentionsSecret(_ bytes: [UInt8]) -> Bool {
    let lowered = String(decoding: bytes.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    return secrets.contains { lowered.contains($0) } || credentials.contains { lowered.contains($0) }
  }

  mutating func run() -> [UInt8] {
    var (index, expectsSecret, codeWords) = (0, false, 0)
    while index < bytes.count {
      guard !Self.breaks.contains(bytes[index]) else {
        output.append(bytes[index])
        index += 1
        continue
      }
      let end = bytes[index...].firstIndex { Self.breaks.contains($0) } ?? bytes.count
      let word = bytes[index..<end]
      index = end
      let key = Self.key(word)
      if expectsSecret, !key.isEmpty || word.contains(where: LogVocabulary.isDigit), !Self.credentials.contains(key),
        key != "is"
      {
        output += "[secret]".utf8
        expectsSecret = false
      } else {
        if let replacement = Self.replacement(word, afterCode: codeWords > 0) {
          output += replacement.utf8
        } else {
          if Self.isUUID(word) { ids.append(output.count..<(output.count + word.count)) }
          output += word
        }
        expectsSecret = expectsSecret || Self.credentials.contains(key) || Self.secrets.contains(key)
      }
      codeWords = Self.codes.contains(key) ? Self.codeReach : max(0, codeWords - 1)
    }
    return withoutLongNumbers()
  }

  /// The word without what punctuates it, lower case.
  private static func key(_ word: ArraySlice<UInt8>) -> String {
    guard let first = word.firstIndex(where: LogVocabulary.isLetter),
      let last = word.lastIndex(where: LogVocabulary.isLetter)
    else { return "" }
    return String(decoding: word[first...last], as: UTF8.self).lowercased()
  }

  private static func replacement(_ word: ArraySlice<UInt8>, afterCode: Bool) -> String? {
    if word.contains(UInt8(ascii: "@")), word.count > 2 { return "[email]" }
    if isUUID(word) { return nil }
    if word.split(whereSeparator: { $0 == 0x2e || $0 == 0x2f || $0 == 0x3a }).contains(where: isToken) {
      return "[token]"
    }
    let labels = word.split(separator: UInt8(ascii: ":")).dropLast().map(key)
    if labels.contains(where: secrets.contains) { return "[secret]" }
    let isLabelled = afterCode || labels.contains(where: codes.contains)
    return isLabelled && word.count(where: LogVocabulary.isDigit) >= 4 ? "[code]" : nil
  }

  /// Random text changes between capitals, small letters and digits at every other character; words do so rarely.
  private static func isToken(_ piece: ArraySlice<UInt8>) -> Bool {
    let kinds = piece.compactMap { byte -> Int? in
      switch byte {
      case 0x30...0x39: 0
      case 0x61...0x7a: 1
      case 0x41...0x5a: 2
      default: nil
      }
    }
    guard kinds.count >= LogScrubber.tokenMin, !isUUID(piece) else { return false }
    let changes = zip(kinds, kinds.dropFirst()).count { $0 != $1 }
    return kinds.count { $0 == 0 } >= 4 || changes * 10 > kinds.count * 4 || piece.starts(with: "eyJ".utf8)
  }

  private static func isUUID(_ word: ArraySlice<UInt8>) -> Bool {
    guard word.count == 36 else { return false }
    return word.enumerated().allSatisfy { index, byte in
      [8, 13, 18, 23].contains(index)
        ? byte == 0x2d : LogVocabulary.isDigit(byte) || (0x61...0x66).contains(byte | 0x20)
    }
  }

  private func withoutLongNumbers() -> [UInt8] {
    var (kept, index, ids): ([UInt8], Int, ArraySlice<Range<Int>>) = ([], 0, ids[...])
    while index < output.count {
      if let id = ids.first, id.lowerBound == index {
        kept += output[id]
        index = id.upperBound
        ids.removeFirst()
        continue
      }
      guard LogVocabulary.isDigit(output[index]) else {
        kept.append(output[index])
        index += 1
        continue
      }
      let (last, digits) = number(at: index, before: ids.first?.lowerBound ?? output.count)
      if digits >= LogScrubber.digitsMin { kept += "[number]".utf8 } else { kept += output[index...last] }
      index = last + 1
    }
    return kept
  }

  /// The last digit of the number that begins there, and how many it has.
  private func number(at start: Int, before limit: Int) -> (last: Int, digits: Int) {
    var (last, digits, index) = (start, 0, start)
    while index < limit {
      if LogVocabulary.isDigit(output[index]) {
        (last, digits) = (index, digits + 1)
      } else if index - last > Self.separatorsMax || !" -./()".utf8.contains(output[index]) {
        break
      }
      index += 1
    }
    return (last, digits)
  }
}
