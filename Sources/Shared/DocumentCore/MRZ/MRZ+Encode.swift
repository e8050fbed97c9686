// SPDX-License-Identifier: Apache-2.0

extension MRZ {
  /// Writes a record as lines, check digits included: `lines(of: parse(x).record) == x` for every valid zone `x`.
  public static func lines(of record: Record) throws(EncodingFailure) -> [String] {
    var writer = MRZWriter(layout: record.format.layout)
    try writer.write(record)
    return writer.lines.map { text($0) }
  }
}

/// Fills a zone of fillers, field by field, then the check digits.
private struct MRZWriter {
  let layout: MRZLayout
  var lines: [[UInt8]]

  init(layout: MRZLayout) {
    self.layout = layout
    lines = Array(repeating: Array(repeating: MRZ.filler, count: layout.lineLength), count: layout.lineCount)
  }

  mutating func write(_ record: MRZ.Record) throws(MRZ.EncodingFailure) {
    try put(record.documentCode, at: layout.documentCode, field: "documentCode")
    try put(record.issuingState, at: layout.issuingState, field: "issuingState")
    try put(record.nameField, at: layout.name, field: "name")
    try put(record.givenNamesField, at: layout.givenNames, field: "givenNames")
    try put(record.issuingOffice, at: layout.issuingOffice, field: "issuingOffice")
    try put(record.nationality, at: layout.nationality, field: "nationality")
    try put(record.sex, at: layout.sex, field: "sex", exactly: true)
    try put(record.birthDate, at: layout.birthDate, field: "birthDate", exactly: true)
    put(digit(over: layout.birthDate), at: layout.birthDigit)
    if let span = layout.expiryDate, let digitSpan = layout.expiryDigit {
      guard let expiry = record.expiryDate else { throw .malformed(field: "expiryDate") }
      try put(expiry, at: span, field: "expiryDate", exactly: true)
      put(record.expiryDigitIsFiller ? MRZ.filler : digit(over: span), at: digitSpan)
    }
    try writeNumber(record)
    try put(record.optionalData2, at: layout.optionalData2, field: "optionalData2")
    if let span = layout.optionalData1, let digitSpan = layout.optionalDigit {
      put(record.optionalDigitIsFiller ? MRZ.filler : digit(over: span), at: digitSpan)
    }
    if let span = layout.compositeDigit {
      put(MRZ.checkDigit(of: layout.compositeCover.flatMap { lines[$0.line][$0.range] }), at: span)
    }
  }

  /// The number and the optional data that a long number begins (identity-documents §2.3).
  private mutating func writeNumber(_ record: MRZ.Record) throws(MRZ.EncodingFailure) {
    let number = Array(record.documentNumber.utf8)
    let width = layout.number.range.count
    guard number.count > width, layout.allowsLongNumber else {
      try put(record.documentNumber, at: layout.number, field: "documentNumber")
      put(digit(over: layout.number), at: layout.numberDigit)
      try put(record.optionalData1, at: layout.optionalData1, field: "optionalData1")
      return
    }
    let (first, rest) = (number[..<width], number[width...])
    let between = record.numberDigitIncludesFiller ? [MRZ.filler] : []
    let digit = MRZ.checkDigit(of: first + between + rest)
    let continuation = text(rest + [digit, MRZ.filler])
    guard continuation.utf8.count <= layout.optionalData1?.range.count ?? 0 else {
      throw .tooLong(field: "documentNumber")
    }
    try put(text(first), at: layout.number, field: "documentNumber")
    try put(continuation + record.optionalData1, at: layout.optionalData1, field: "optionalData1")
  }

  private mutating func put(
    _ value: String?, at span: MRZSpan?, field: String, exactly: Bool = false
  ) throws(MRZ.EncodingFailure) {
    let bytes = Array((value ?? "").utf8)
    guard let span else {
      guard bytes.isEmpty else { throw .tooLong(field: field) }
      return
    }
    guard bytes.count <= span.range.count else { throw .tooLong(field: field) }
    guard !exactly || bytes.count == span.range.count else { throw .malformed(field: field) }
    guard bytes.allSatisfy({ MRZ.characterValue($0) != nil }) else { throw .invalidCharacter(field: field) }
    for (offset, byte) in bytes.enumerated() {
      lines[span.line][span.range.lowerBound + offset] = byte
    }
  }

  private mutating func put(_ byte: UInt8, at span: MRZSpan) {
    lines[span.line][span.range.lowerBound] = byte
  }

  private func digit(over span: MRZSpan) -> UInt8 {
    MRZ.checkDigit(of: lines[span.line][span.range])
  }
}
