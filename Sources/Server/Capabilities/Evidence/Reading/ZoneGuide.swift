import DocumentCore

/// Finds values by what the zone of the same page says, where their captions are not legible: captions are half as high
/// as values, so that blur takes them first.
///
/// A value is taken as it was read from the print, diacritics included, and only when it says what the zone says. What
/// differs from it is left to the captions, so that no difference is hidden.
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
    // Sex and nationality need the others' places.
    for field in wanted.filter({ !Self.short.contains($0) }) + wanted.filter(Self.short.contains) {
      let found = values(of: field, in: runs, beside: print.values.values.map(\.region))
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
      clear(&print, .personalNumber, as: fields.optionalData1)
    }
  }

  private func clear(_ print: inout VisualZone, _ field: VisualZone.Field, as number: String?) {
    guard let number, let seen = print[field], seen.count == number.count, Self.isSame(seen, number) else { return }
    print.values[field]?.text = number
  }

  private static let short: Set<VisualZone.Field> = [.sex, .nationality]

  /// The values of a field from the top to the bottom. Several different ones of a date of issue, of a sex or of a
  /// nationality are none.
  private func values(
    of field: VisualZone.Field, in runs: [[OCRWord]], beside places: [Region]
  ) -> [VisualZone.Value] {
    let found = runs.compactMap { VisualZoneReader.value(of: field, in: $0, dates: dates) }.filter { value in
      says(field, value.text)
        && (!Self.short.contains(field) || places.contains { Self.stands(value.region, under: $0) })
    }
    switch field {
    case .sex: return found.count == 1 ? found : []
    case .nationality, .issueDate: return Set(found.map(\.text)).count == 1 ? found : []
    default: return found
    }
  }

  /// Whether a printed value is the zone's.
  private func says(_ field: VisualZone.Field, _ text: String) -> Bool {
    switch field {
    case .surname: Self.isSame(text, fields.surname, zone)
    case .givenNames: Self.isSame(text, fields.givenNames, zone)
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

  private static func isSame(_ name: String, _ other: String?, _ zone: MRZReading) -> Bool {
    guard let other else { return false }
    let isCut = zone.result.warnings.contains(.namePossiblyTruncated)
    let level = NameComparison.compare(PersonName(primary: name), PersonName(primary: other, possiblyTruncated: isCut))
    return level == .exact || level == .equivalent || level == .truncated
  }

  private static func isSame(_ number: String, _ other: String?) -> Bool {
    other.map { PrintedPerson.toTheEye(number) == PrintedPerson.toTheEye($0) } ?? false
  }

  private static func stands(_ value: Region, under other: Region) -> Bool {
    let (high, usual) = (Double(value.height), Double(other.height))
    return Double(abs(value.x - other.x)) <= usual * edgeMax && high >= usual * heightMin && high <= usual * heightMax
  }

  /// The words of a line that stand together.
  private static func runs(_ line: [OCRWord]) -> [[OCRWord]] {
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
