// SPDX-License-Identifier: Apache-2.0

internal import WultraWire

/// Documents that can be scanned.
public enum WDODocumentType: String, Sendable, CaseIterable {
  case idCard
  case passport
  case driversLicense

  /// Which sides are to be scanned.
  public var sides: [WDODocumentSide] { self == .idCard ? [.front, .back] : [.front] }

  /// - Returns: nil for a word that apps do not scan.
  init?(_ type: Wultra.DocumentType) {
    switch type {
    case .idCard: self = .idCard
    case .passport: self = .passport
    case .drivingLicense: self = .driversLicense
    default: return nil
    }
  }

  var wire: Wultra.DocumentType {
    switch self {
    case .idCard: .idCard
    case .passport: .passport
    case .driversLicense: .drivingLicense
    }
  }
}

/// Sides of a document.
public enum WDODocumentSide: String, Sendable, CaseIterable {
  /// The one with the portrait, or the only one.
  case front
  case back

  /// - Returns: nil for a word that this version does not know.
  init?(_ side: Wultra.DocumentSide) {
    switch side {
    case .front: self = .front
    case .back: self = .back
    default: return nil
    }
  }

  var wire: Wultra.DocumentSide { self == .front ? .front : .back }
}
