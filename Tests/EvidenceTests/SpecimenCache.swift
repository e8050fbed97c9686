// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Specimens
import Synchronization

/// Specimens of today's papers, each drawn once however many tests read it: a drawing takes half a second of a processor.
enum SpecimenCache {
  static let today = CalendarDate(year: 2026, month: 1, day: 1)!
  private static let drawn = Mutex<[String: DrawnSpecimen]>([:])

  static func draw(_ kind: SpecimenKind, seed: UInt64, degrade: String = "") throws -> DrawnSpecimen {
    let key = "\(kind) \(seed) \(degrade)"
    if let known = drawn.withLock({ $0[key] }) { return known }
    let specimen = try Specimen.draw(kind, seed: seed, reference: today, degrade: Degradation.list(degrade))
    drawn.withLock { $0[key] = specimen }
    return specimen
  }
}
