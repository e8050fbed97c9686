// SPDX-License-Identifier: Apache-2.0

import Screening
import DocumentCore
import Foundation
import Specimens

@testable import Demonstration
@testable import GatehouseApp

/// Specimens that are drawn once for all tests. The first holder is the customer, the second another person.
enum JourneyPapers {
  static let day = CalendarDate(year: 2026, month: 11, day: 21) ?? { preconditionFailure("It is a day.") }()
  static let holder = Holder.random(seed: 1, reference: day)
  static let other = Holder.random(seed: 2, reference: day)
  static var listed: Holder {
    var holder = holder
    holder.surname = DemoScreeningList.listedSurname
    holder.givenNames = DemoScreeningList.listedGivenNames
    holder.birthDate = CalendarDate(DemoScreeningList.listedDateOfBirth) ?? holder.birthDate
    return holder
  }

  private static let passportDrawn = scan(.passport, holder)
  private static let listedDrawn = scan(.passport, listed)
  private static let listedCardDrawn = scan(.idCard, listed)
  private static let listedLicenceDrawn = scan(.drivingLicence, listed)
  private static let cardDrawn = scan(.idCard, holder)
  private static let otherCardDrawn = scan(.idCard, other, seed: 2)
  private static let licenceDrawn = scan(.drivingLicence, holder)
  private static let selfieDrawn = Result { try Selfie.draw(of: holder, seed: 1, reference: day).data }

  static var passport: DemoPapers { get throws { try passportDrawn.get() } }
  static var listedPassport: DemoPapers { get throws { try listedDrawn.get() } }
  static var listedCard: DemoPapers { get throws { try listedCardDrawn.get() } }
  static var listedLicence: DemoPapers { get throws { try listedLicenceDrawn.get() } }
  static var card: DemoPapers { get throws { try cardDrawn.get() } }
  static var otherCard: DemoPapers { get throws { try otherCardDrawn.get() } }
  static var licence: DemoPapers { get throws { try licenceDrawn.get() } }
  static var selfie: Data { get throws { try selfieDrawn.get() } }

  private static func scan(
    _ kind: SpecimenKind, _ holder: Holder, seed: UInt64 = 1
  ) -> Result<DemoPapers, any Error> {
    Result { try DemoPapers(kind, of: holder, seed: seed, on: day, []) }
  }
}
