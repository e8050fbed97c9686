// SPDX-License-Identifier: Apache-2.0

/// A stretch of one line; positions count from 0.
struct MRZSpan: Sendable {
  let line: Int
  let range: Range<Int>

  init(_ line: Int, _ range: Range<Int>) {
    self.line = line
    self.range = range
  }

  /// One character.
  init(_ line: Int, at position: Int) {
    self.init(line, position..<position + 1)
  }
}

/// Where each field of a format stands (identity-documents §1.1–1.3, §5); nil where the format has none.
struct MRZLayout: Sendable {
  let lineCount: Int
  let lineLength: Int
  let documentCode = MRZSpan(0, 0..<2)
  let issuingState = MRZSpan(0, 2..<5)
  let name: MRZSpan
  /// Given names in a field of their own (French card only).
  var givenNames: MRZSpan?
  /// Department and office (French card only).
  var issuingOffice: MRZSpan?
  let number: MRZSpan
  let numberDigit: MRZSpan
  var nationality: MRZSpan?
  let birthDate: MRZSpan
  let birthDigit: MRZSpan
  let sex: MRZSpan
  var expiryDate: MRZSpan?
  var expiryDigit: MRZSpan?
  var optionalData1: MRZSpan?
  var optionalDigit: MRZSpan?
  var optionalData2: MRZSpan?
  var compositeDigit: MRZSpan?
  /// What the composite digit covers, in the order of its weights.
  var compositeCover: [MRZSpan] = []
  /// True where a number of more than nine characters runs on into the optional data (§2.3).
  var allowsLongNumber = false
}

extension MRZ.Format {
  var layout: MRZLayout {
    switch self {
    case .td1: Self.td1Layout
    case .td2: Self.twoLines(of: 36, optional: 28..<35, optionalDigit: nil, composite: 35)
    case .td3: Self.twoLines(of: 44, optional: 28..<42, optionalDigit: 42, composite: 43)
    case .mrva: Self.twoLines(of: 44, optional: 28..<44, optionalDigit: nil, composite: nil)
    case .mrvb: Self.twoLines(of: 36, optional: 28..<36, optionalDigit: nil, composite: nil)
    case .frenchID1988: Self.frenchLayout
    }
  }

  private static func twoLines(
    of length: Int, optional: Range<Int>, optionalDigit: Int?, composite: Int?
  ) -> MRZLayout {
    MRZLayout(
      lineCount: 2, lineLength: length,
      name: MRZSpan(0, 5..<length),
      number: MRZSpan(1, 0..<9), numberDigit: MRZSpan(1, at: 9),
      nationality: MRZSpan(1, 10..<13),
      birthDate: MRZSpan(1, 13..<19), birthDigit: MRZSpan(1, at: 19),
      sex: MRZSpan(1, at: 20),
      expiryDate: MRZSpan(1, 21..<27), expiryDigit: MRZSpan(1, at: 27),
      optionalData1: MRZSpan(1, optional),
      optionalDigit: optionalDigit.map { MRZSpan(1, at: $0) },
      compositeDigit: composite.map { MRZSpan(1, at: $0) },
      compositeCover: composite.map { [MRZSpan(1, 0..<10), MRZSpan(1, 13..<20), MRZSpan(1, 21..<$0)] } ?? [],
      allowsLongNumber: length == 36 && composite != nil)
  }

  private static let td1Layout = MRZLayout(
    lineCount: 3, lineLength: 30,
    name: MRZSpan(2, 0..<30),
    number: MRZSpan(0, 5..<14), numberDigit: MRZSpan(0, at: 14),
    nationality: MRZSpan(1, 15..<18),
    birthDate: MRZSpan(1, 0..<6), birthDigit: MRZSpan(1, at: 6),
    sex: MRZSpan(1, at: 7),
    expiryDate: MRZSpan(1, 8..<14), expiryDigit: MRZSpan(1, at: 14),
    optionalData1: MRZSpan(0, 15..<30), optionalData2: MRZSpan(1, 18..<29),
    compositeDigit: MRZSpan(1, at: 29),
    compositeCover: [MRZSpan(0, 5..<30), MRZSpan(1, 0..<7), MRZSpan(1, 8..<15), MRZSpan(1, 18..<29)],
    allowsLongNumber: true)

  private static let frenchLayout = MRZLayout(
    lineCount: 2, lineLength: 36,
    name: MRZSpan(0, 5..<30), givenNames: MRZSpan(1, 13..<27), issuingOffice: MRZSpan(0, 30..<36),
    number: MRZSpan(1, 0..<12), numberDigit: MRZSpan(1, at: 12),
    birthDate: MRZSpan(1, 27..<33), birthDigit: MRZSpan(1, at: 33),
    sex: MRZSpan(1, at: 34),
    compositeDigit: MRZSpan(1, at: 35),
    compositeCover: [MRZSpan(0, 0..<36), MRZSpan(1, 0..<35)])
}
