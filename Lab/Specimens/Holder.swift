// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation

/// The person whom a specimen is about. The person is invented.
package struct Holder: Sendable, Hashable, Codable {
  /// As the document prints it: M, F, or X for unspecified (Doc 9303-4 §4.1.1).
  package enum Sex: String, Sendable, Codable, CaseIterable {
    case male = "M"
    case female = "F"
    case unspecified = "X"
  }

  package var surname: String
  /// In order, separated by spaces; may be empty.
  package var givenNames: String
  package var sex: Sex
  package var birthDate: CalendarDate
  package var birthPlace: String
  package var street: String
  package var town: String
  /// Nine digits, as AAMVA's DAK takes.
  package var postalCode: String
  /// Centimetres.
  package var height: Int
  package var eyes: EyeColour
  /// The face, hair and build: one number, one face.
  package var faceSeed: UInt64

  package init(
    surname: String, givenNames: String, sex: Sex, birthDate: CalendarDate, birthPlace: String, street: String,
    town: String, postalCode: String, height: Int, eyes: EyeColour, faceSeed: UInt64
  ) {
    self.surname = surname
    self.givenNames = givenNames
    self.sex = sex
    self.birthDate = birthDate
    self.birthPlace = birthPlace
    self.street = street
    self.town = town
    self.postalCode = postalCode
    self.height = height
    self.eyes = eyes
    self.faceSeed = faceSeed
  }
}

/// Eye colours by the codes of ANSI D-20 that AAMVA's DAY takes.
package enum EyeColour: String, Sendable, Codable, CaseIterable {
  case brown = "BRO"
  case blue = "BLU"
  case green = "GRN"
  case grey = "GRY"
  case hazel = "HAZ"

  /// As a card prints it.
  var printed: String {
    switch self {
    case .brown: "BROWN"
    case .blue: "BLUE"
    case .green: "GREEN"
    case .grey: "GREY"
    case .hazel: "HAZEL"
    }
  }

  var iris: Colour {
    switch self {
    case .brown: Colour(0x4A2C17)
    case .blue: Colour(0x4F7BA6)
    case .green: Colour(0x5A7A4F)
    case .grey: Colour(0x707B84)
    case .hazel: Colour(0x7A5C2E)
    }
  }
}
