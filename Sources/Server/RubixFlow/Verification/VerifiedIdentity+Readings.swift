// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Evidence
import GatehouseWire
import RubixWire

extension Applicant.Verified {
  /// The person of the matched documents: the machine-readable zone before the barcode before what is printed, and
  /// what the app says only where no surname was read of any document.
  /// - Returns: nil when no document names a person with a whole date of birth.
  init?(_ readings: [Evidence.DocumentKind: DocumentReading], documents images: [CapturedImage]) {
    let order: [Evidence.DocumentKind] = [.passport, .nationalIDBack, .nationalIDFront, .drivingLicence]
    let own = readings.mapValues(\.withoutHints)
    let isNamed = own.values.contains {
      $0.mrz?.fields?.surname != nil || $0.barcode?.licence.name.family != nil || $0.visualZone?[.surname] != nil
    }
    let people = (isNamed ? [own] : [own, readings]).flatMap { readings in
      order.compactMap { kind in readings[kind].flatMap { Self.person($0) } }
    }
    guard let person = people.first else { return nil }
    self.init(
      familyName: person.familyName, givenNames: person.givenNames, namesMayBeTruncated: person.isTruncated,
      dateOfBirth: person.dateOfBirth, nationality: people.compactMap(\.nationality).first,
      documents: images.compactMap { image in
        guard let kind = Evidence.DocumentKind(rawValue: image.type.rawValue), let reading = readings[kind] else {
          return nil
        }
        return Document(
          id: image.id.rawValue, type: image.type, number: own[kind].flatMap(Self.number) ?? Self.number(reading),
          issuingState: Self.state(reading), expiryDate: own[kind].flatMap(Self.expiry) ?? Self.expiry(reading))
      })
  }

  private struct Person {
    let familyName: String
    let givenNames: String
    let isTruncated: Bool
    let dateOfBirth: WireDate
    let nationality: String?
  }

  private static func person(_ reading: DocumentReading) -> Person? {
    if let fields = reading.mrz?.fields, let birth = wire(fields.birthDate), let surname = fields.surname {
      return Person(
        familyName: surname, givenNames: fields.givenNames ?? "",
        isTruncated: reading.mrz?.result.warnings.contains(.namePossiblyTruncated) ?? false, dateOfBirth: birth,
        nationality: fields.nationality.map { StateCode.canonical($0) })
    }
    if let barcode = reading.barcode, let birth = wire(barcode.licence.birthDate),
      let family = barcode.licence.name.family
    {
      return Person(
        familyName: family, givenNames: barcode.givenNames ?? "", isTruncated: false, dateOfBirth: birth,
        nationality: nil)
    }
    guard let zone = reading.visualZone, let surname = zone[.surname], let birth = wire(zone.date(.birthDate)) else {
      return nil
    }
    return Person(
      familyName: surname, givenNames: zone[.givenNames] ?? "", isTruncated: false, dateOfBirth: birth,
      nationality: zone[.nationality].flatMap { $0.utf8.count == 3 ? $0 : nil })
  }

  private static func number(_ reading: DocumentReading) -> String? {
    reading.mrz?.fields?.documentNumber ?? reading.barcode?.licence.number ?? reading.visualZone?[.documentNumber]
  }

  private static func state(_ reading: DocumentReading) -> String? {
    reading.mrz?.fields?.issuingState.map { StateCode.canonical($0) }
  }

  private static func expiry(_ reading: DocumentReading) -> WireDate? {
    wire(
      reading.mrz?.fields?.expiryDate ?? reading.barcode?.licence.expiryDate ?? reading.visualZone?.date(.expiryDate))
  }

  private static func wire(_ date: CalendarDate?) -> WireDate? {
    date.flatMap { WireDate(year: $0.year, month: $0.month, day: $0.day) }
  }
}
