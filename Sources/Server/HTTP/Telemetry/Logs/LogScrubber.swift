// SPDX-License-Identifier: Apache-2.0

/// Takes out of a text what looks like a secret or a person: the net below the rule that such things are never logged.
///
/// 1. A word with an at sign is an e-mail address.
/// 2. A word that is random to look at is a token; so is what follows `Bearer` or `Basic`.
/// 3. Seven digits or more, also with spaces, dashes, dots, slashes or brackets between, are a phone number, a date of
///    birth or the number of a document, a card or an account.
/// 4. Four digits or more behind a word like *code* are a passcode, and the word behind one like *password* is a secret.
///
/// UUIDs stay: the program names things by them. Names of people look like any other word; against them helps only that
/// messages hold no values at all, and metadata only what `LogVocabulary` knows.
enum LogScrubber {
  /// Digits that make a number a person's.
  static let digitsMin = 7
  /// Letters and digits that make a word long enough to be a token.
  static let tokenMin = 16
  /// Longer texts are cut.
  static let lengthMax = 1000

  static func scrubbed(_ text: String) -> String {
    let bytes = Array(text.utf8.prefix(lengthMax))
    guard isSuspicious(bytes) else {
      return bytes.count == text.utf8.count ? text : String(decoding: bytes, as: UTF8.self)
    }
    var scan = LogScan(bytes)
    return String(decoding: scan.run(), as: UTF8.self)
  }

  /// Whether anything here is worth a closer look; most lines are not.
  private static func isSuspicious(_ bytes: [UInt8]) -> Bool {
    var (digits, run) = (0, 0)
    for byte in bytes {
      if byte == UInt8(ascii: "@") || byte >= 0x80 { return true }
      let isDigit = LogVocabulary.isDigit(byte)
      if isDigit { digits += 1 }
      run = isDigit || LogVocabulary.isLetter(byte) ? run + 1 : 0
      if digits >= 4 || run >= tokenMin { return true }
    }
    return LogScan.mentionsSecret(bytes)
  }
}
