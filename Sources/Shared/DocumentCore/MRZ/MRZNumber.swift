// SPDX-License-Identifier: Apache-2.0

/// The document number of a zone, which may run on into the optional data (identity-documents §2.3).
///
/// 1. With a real check digit after it the number is never long, whatever the optional data holds.
/// 2. A filler in the digit's place and optional data that begins at once: the data's first run, which a filler must
///    end, is the rest of the number and its check digit.
/// 3. The digit is over the first nine characters and the rest. Some issuers kept the filler in between: accepted.
/// 4. A filler in the digit's place and nothing to continue with: the digit is missing.
struct MRZNumber {
  /// All characters of the number, trailing fillers included.
  let characters: [UInt8]
  /// What the optional data holds besides the number.
  let optionalData: [UInt8]
  let digit: MRZ.CheckDigit
  /// True when the digit is right only with the filler between the two parts counted.
  let digitIncludesFiller: Bool

  init(layout: MRZLayout, lines: [[UInt8]]) {
    let field = Array(lines[layout.number.line][layout.number.range])
    let present = lines[layout.numberDigit.line][layout.numberDigit.range.lowerBound]
    let optional = layout.optionalData1.map { Array(lines[$0.line][$0.range]) } ?? []
    if layout.allowsLongNumber, let run = Self.continuation(digit: present, optionalData: optional) {
      self.init(field: field, run: optional[..<run], optionalData: optional[run...])
      return
    }
    self.init(field: field, digit: present, optionalData: optional)
  }

  private init(field: [UInt8], digit present: UInt8, optionalData: [UInt8]) {
    let computed = MRZ.checkDigit(of: field)
    characters = field
    self.optionalData = optionalData
    digit = MRZ.CheckDigit(present: text([present]), computed: text([computed]), ok: present == computed)
    digitIncludesFiller = false
  }

  private init(field: [UInt8], run: ArraySlice<UInt8>, optionalData rest: ArraySlice<UInt8>) {
    let present = run[run.endIndex - 1]
    characters = field + run.dropLast()
    // The filler that ends the number belongs to it, not to the data.
    optionalData = Array(rest.dropFirst())
    let computed = MRZ.checkDigit(of: characters)
    digitIncludesFiller =
      present != computed && present == MRZ.checkDigit(of: field + [MRZ.filler] + run.dropLast())
    digit = MRZ.CheckDigit(
      present: text([present]), computed: text([computed]), ok: present == computed || digitIncludesFiller)
  }

  /// The length of the run that continues a long number and holds its check digit; nil when the number is not long.
  static func continuation(digit: UInt8, optionalData: [UInt8]) -> Int? {
    guard digit.isFiller, let end = optionalData.firstIndex(of: MRZ.filler), end >= 2 else { return nil }
    return end
  }
}
