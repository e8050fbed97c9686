// SPDX-License-Identifier: Apache-2.0

import DocumentCore

/// Finds values by what the zone of the same page says, where their captions are not legible: captions are half as high
/// as values, so that blur takes them first.
///
/// A value is taken as it was read from the print, diacritics included, and only when it says what the zone says. What
/// differs from it is left to the captions, so that no difference is hidden. A date of issue and a nationality, which
/// the zone does not say word for word, are never certain.
struct ZoneGuide {
  private let zone: MRZReading
  private let fields: MRZ.Fields
  private let dates: PrintedDate.Order

  /// Words of one value stand no further apart than this, in heights of the first.
  private static let gapMax = 1.6
  /// A short value stands in a column with others that were found, and is of their height.
  private static let edgeMax = 0.6, heightMin = 0.7, heightMax = 1.4

  /// - Returns: nil when the zone has no fields.
  init?(_ zone: MRZReading, dates: PrintedDate.Order) {
    guard let fields = zone.fields else { return nil }
    (self.zone, self.fields, self.dates) = (zone, fields, dates)
  }

  /// Adds what is missing of `wanted`, completes names of which a part was taken for the whole, and takes the zone's
  /// characters where print cannot show a difference.
  func complete(_ print: inout VisualZone, wanted: [VisualZone.Field], from lines: [[OCRWord]]) {
    let runs = lines.flatMap(Self.runs)
    parted(&print)
    // The date of issue needs the other dates; nationality and sex need the others' places.
    let late: [VisualZone.Field] = [.issueDate, .nationality, .sex]
    for field in wanted.filter({ !late.contains($0) }) + late.filter(wanted.contains) {
      // A date between may be a misread one of birth or of expiry.
      if field == .issueDate,
        print[.birthDate] != fields.birthDate?.isoText || print[.expiryDate] != fields.expiryDate?.isoText
      {
        continue
      }
      let found = values(of: field, in: runs, beside: print)
      if let value = print.values[field] {
        guard field == .surname || field == .givenNames, !says(field, value.text) else { continue }
        let whole = found.first { $0.region.union(value.region) == $0.region }
        print.values[field] = whole ?? value
      } else {
        print.values[field] = found.first
      }
    }
    let sure = PrintedPerson(mrz: zone), digits = zone.result.checkDigits
    if sure.isCertain(.documentNumber) { clear(&print, .documentNumber, as: fields.documentNumber) }
    if sure.isCertain(.personalNumber), digits?.optionalData?.ok == true {
      // Print has one space where the zone may have several fillers.
      clear(&print, .personalNumber, as: fields.optionalData1?.split(separator: " ").joined(separator: " "))
    }
  }

  /// Gives a date or name that was found under another one's caption to the field whose value in the zone it is.
  private func parted(_ print: inout VisualZone) {
    for field in [VisualZone.Field.birthDate, .issueDate, .expiryDate] {
      guard let value = print.values[field], !says(field, value.text),
        let own = [VisualZone.Field.birthDate, .expiryDate].first(where: { says($0, value.text) })
      else { continue }
      print.values[field] = nil
      if print[own] == nil { print.values[own] = Self.uncertain([value])[0] }
    }
    for (field, own) in [(VisualZone.Field.surname, VisualZone.Field.givenNames), (.givenNames, .surname)] {
      guard let value = print.values[field], !says(field, value.text), says(own, value.text) else { continue }
      print.values[field] = nil
      if print[own] == nil { print.values[own] = Self.uncertain([value])[0] }
    }
  }

  private func clear(_ print: inout VisualZone, _ field: VisualZone.Field, as number: String?) {
    guard let number, let seen = print[field], seen.count == number.count, Self.isSame(seen, number) else { return }
    print.values[field]?.text = number
  }

  /// The values of a field from the top to the bottom. Empty where there are several different dates of issue, sexes or
  /// nationalities, and where another date or number may stand in the field's place.
  private func values(
    of field: VisualZone.Field, in runs: [[OCRWord]], beside print: VisualZone
  ) -> [VisualZone.Value] {
    let all = runs.compactMap { value(of: field, in: $0) }
    func inColumn(_ value: VisualZone.Value) -> Bool {
      print.values.values.contains { Self.stands(value.region, under: $0.region) }
    }
    let found = all.filter { says(field, $0.text) }
    switch field {
    case .sex:
      let letters = all.filter(inColumn)
      guard letters.isEmpty else { return letters.count == 1 ? letters.filter { says(field, $0.text) } : [] }
      // It often stands by itself at the right of the date of birth: then it is the only letter as high as the values.
      let alone = all.filter { letter in
        print.values.values.contains { Self.isAsHigh(letter.region, as: $0.region) && letter.region.x > $0.region.x }
      }
      return alone.count == 1 ? Self.uncertain(alone.filter { says(field, $0.text) }) : []
    case .nationality, .issueDate:
      let named = Self.uncertain(field == .nationality ? found.filter(inColumn) : found)
      return Set(named.map(\.text)).count == 1 ? named : []
    case .birthDate, .expiryDate:
      let others = Set(all.map(\.text)).subtracting(print.values.values.map(\.text))
        .filter { !says(.birthDate, $0) && !says(.expiryDate, $0) }
      let hasRival = others.count > (print[.issueDate] == nil ? 1 : 0) || !others.allSatisfy { says(.issueDate, $0) }
      return hasRival ? [] : found
    case .documentNumber, .personalNumber:
      let hasRival = runs.contains { run in
        guard let other = VisualZoneReader.value(of: field, in: run, dates: dates)?.text,
          value(of: .birthDate, in: run) == nil
        else { return false }
        return found.contains { $0.text.count == other.count } && !says(.documentNumber, other)
          && !says(.personalNumber, other) && !print.values.values.contains { $0.text == other }
      }
      return hasRival ? [] : found
    default: return found
    }
  }

  /// A date that is printed with two digits of its year is in the century of the zone's date that it says, and else in
  /// this one; it is never certain.
  private func value(of field: VisualZone.Field, in run: [OCRWord]) -> VisualZone.Value? {
    if let value = VisualZoneReader.value(of: field, in: run, dates: dates) { return value }
    guard field.isDate, let first = run.first, let short = PrintedDate.short(run.map(\.text).joined(separator: " "))
    else { return nil }
    let own = [fields.birthDate, fields.expiryDate].compactMap(\.self).first { short.date(inCenturyOf: $0.year) == $0 }
    guard let date = own ?? short.date(inCenturyOf: zone.referenceDate.year) else { return nil }
    return VisualZone.Value(
      text: date.isoText, confidence: Certainty.of(field, run, dates: dates),
      region: run.dropFirst().reduce(first.region) { $0.union($1.region) })
  }

  /// Whether a printed value is the zone's.
  private func says(_ field: VisualZone.Field, _ text: String) -> Bool {
    switch field {
    // What was cut off is of the last name: a surname is whole where given names follow it.
    case .surname: Self.isSame(text, fields.surname, isCut: isCut && fields.givenNames == nil)
    case .givenNames: Self.isSame(text, fields.givenNames, isCut: isCut)
    case .documentNumber: Self.isSame(text, fields.documentNumber)
    case .personalNumber: Self.isSame(text, fields.optionalData1) || Self.isSame(text, fields.optionalData2)
    case .birthDate: text == fields.birthDate?.isoText
    case .expiryDate: text == fields.expiryDate?.isoText
    // Of the three dates of a document the one in the middle.
    case .issueDate:
      text > fields.birthDate?.isoText ?? text && text < fields.expiryDate?.isoText ?? text
        && text <= zone.referenceDate.isoText
    case .sex: text == fields.sexText || text == "X" && fields.sex == .unspecified
    // The code alone is printed as the issuing state too.
    case .nationality: fields.nationality.map { $0.count == 3 && text.count > 3 && text.hasPrefix($0) } ?? false
    case .address, .categories: false
    }
  }

  private var isCut: Bool { zone.result.warnings.contains(.namePossiblyTruncated) }

  private static func isSame(_ name: String, _ other: String?, isCut: Bool) -> Bool {
    guard let other else { return false }
    let level = NameComparison.compare(PersonName(primary: name), PersonName(primary: other, possiblyTruncated: isCut))
    return level == .exact || level == .equivalent || level == .truncated
  }

  private static func isSame(_ number: String, _ other: String?) -> Bool {
    other.map { PrintedPerson.toTheEye(number) == PrintedPerson.toTheEye($0) } ?? false
  }

  static func stands(_ value: Region, under other: Region) -> Bool {
    Double(abs(value.x - other.x)) <= Double(other.height) * edgeMax && isAsHigh(value, as: other)
  }

  private static func isAsHigh(_ value: Region, as other: Region) -> Bool {
    let (high, usual) = (Double(value.height), Double(other.height))
    return high >= usual * heightMin && high <= usual * heightMax
  }

  private static func uncertain(_ values: [VisualZone.Value]) -> [VisualZone.Value] {
    values.map { value in
      var value = value
      value.confidence = min(value.confidence, Certainty.wornCaptionMost)
      return value
    }
  }

  /// The words of a line that stand together.
  static func runs(_ line: [OCRWord]) -> [[OCRWord]] {
    var runs: [[OCRWord]] = []
    for word in line {
      if let run = runs.last, let last = run.last?.region,
        Double(word.region.x - last.x - last.width) < Double(run[0].region.height) * gapMax
      {
        runs[runs.count - 1].append(word)
      } else {
        runs.append([word])
      }
    }
    return runs
  }
}
