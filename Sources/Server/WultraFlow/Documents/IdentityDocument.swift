// SPDX-License-Identifier: Apache-2.0

import Evidence
import Storage
import WultraWire

/// A document that a person can show.
package enum IdentityDocument: String, Sendable, CaseIterable, SQLConvertible, Codable {
  case idCard = "ID_CARD"
  case passport = "PASSPORT"
  case drivingLicense = "DRIVING_LICENSE"

  package enum Side: String, Sendable, CaseIterable, SQLConvertible, Codable {
    case front = "FRONT"
    case back = "BACK"
  }

  /// The sides that are needed of it.
  package var sides: [Side] { self == .idCard ? [.front, .back] : [.front] }

  var wire: Wultra.DocumentType { Wultra.DocumentType(rawValue: rawValue) }

  /// What an image of that side shows; nil for a side that the document does not have.
  func kind(_ side: Side) -> Evidence.DocumentKind? {
    switch (self, side) {
    case (.idCard, .front): .nationalIDFront
    case (.idCard, .back): .nationalIDBack
    case (.passport, .front): .passport
    case (.drivingLicense, .front): .drivingLicence
    case (.passport, .back), (.drivingLicense, .back): nil
    }
  }
}

extension IdentityDocument.Side {
  var wire: Wultra.DocumentSide { Wultra.DocumentSide(rawValue: rawValue) }
}
