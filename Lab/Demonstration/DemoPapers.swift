// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import GatehouseApp
import RubixWire
import Specimens

/// One person's document as the camera saw it, with the truth about what stands on it.
struct DemoPapers: Sendable {
  /// A careful customer's picture: held by hand, from a slight angle, in the light of a room.
  static let careful: [Degradation] = [.init(.rotate), .init(.perspective), .init(.noise, strength: 0.5)]
  /// Taken in haste.
  static let blurred: [Degradation] = [.init(.blur, strength: 4)]

  let truth: SpecimenTruth
  private let pictures: [SpecimenSide: Data]

  init(
    _ kind: SpecimenKind, of holder: Holder, seed: UInt64, on day: CalendarDate, _ degrade: [Degradation]
  ) throws {
    let drawn = try Specimen.draw(kind, holder: holder, seed: seed, reference: day, degrade: degrade)
    truth = drawn.truth
    pictures = Dictionary(uniqueKeysWithValues: drawn.images.map { ($0.side, $0.picture.data) })
  }

  func picture(_ side: SpecimenSide) -> Data { pictures[side] ?? Data() }

  /// The zone that was read, beside the printed one. A zone has names in its own spelling, so the truth is read from
  /// the printed lines.
  func compare(zone document: ProcessedDocument) -> [DemoReading] {
    let said = document.mrz?.fields
    let truth = MRZ.parse(lines: truth.mrz, referenceDate: truth.referenceDate).fields
    return [
      DemoReading(field: "surname", read: said?.surname, truth: truth?.surname ?? ""),
      DemoReading(field: "given names", read: said?.givenNames, truth: truth?.givenNames ?? ""),
      DemoReading(field: "number", read: said?.documentNumber, truth: self.truth.papers.number),
      DemoReading(field: "birth date", read: said?.birthDate, truth: self.truth.holder.birthDate.isoText),
      DemoReading(field: "expiry date", read: said?.expiryDate, truth: self.truth.papers.expiryDate.isoText),
    ]
  }

  /// What was read of the print on a side, beside the print itself.
  func compare(print document: ProcessedDocument, _ side: SpecimenSide) -> [DemoReading] {
    let said = document.visualZone
    let printed = truth.sides.first { $0.side == side }?.printed ?? [:]
    return [
      DemoReading(field: "surname", read: said?.surname, truth: printed["surname"]),
      DemoReading(field: "given names", read: said?.givenNames, truth: printed["givenNames"]),
      DemoReading(field: "number", read: said?.documentNumber, truth: printed["documentNumber"]),
      DemoReading(field: "birth date", read: said?.birthDate?.description, truth: truth.holder.birthDate.isoText),
      DemoReading(field: "expiry date", read: said?.expiryDate?.description, truth: truth.papers.expiryDate.isoText),
    ]
  }
}
