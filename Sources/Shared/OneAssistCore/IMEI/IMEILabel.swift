// SPDX-License-Identifier: Apache-2.0

/// What stands before a number on the sheet of identifiers and says which one it is (specification §5.2, steps 5 and 6).
enum IMEILabel: Equatable {
  /// The slot is nil where the label names none.
  case imei(slot: Int?)
  /// A number of another kind, and how many digits it has at least.
  case other(digitsMin: Int)

  /// EID has 32 digits, ICCID 19 or 20, MEID 18 or 14 of which some are letters, IMEISV 16.
  private static let others = ["EID": 32, "ICCID": 19, "MEID": 8, "SEID": 32, "IMEISV": 16]

  /// - Returns: nil when the word is no label. Letters may be misread: `lMEI`, `E1D`.
  init?(_ word: String) {
    if let known = Self.named(word) {
      self = known
    } else if let last = word.last, let slot = ["1": 1, "I": 1, "l": 1, "2": 2, "Z": 2][last],
      Self.named(String(word.dropLast())) == .imei(slot: nil)
    {
      self = .imei(slot: slot)
    } else {
      return nil
    }
  }

  private static func named(_ word: String) -> IMEILabel? {
    guard word.utf8.count <= 6 else { return nil }
    let name = String(word.uppercased().map { $0 == "1" || $0 == "L" ? "I" : $0 })
    if name == "IMEI" { return .imei(slot: nil) }
    return others[name].map { .other(digitsMin: $0) }
  }
}
