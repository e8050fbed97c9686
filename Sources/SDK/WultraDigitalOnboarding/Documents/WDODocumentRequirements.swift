// SPDX-License-Identifier: Apache-2.0

internal import WultraWire

/// Which documents the server asks for, when it lists them.
public struct WDODocumentRequirements: Sendable, Equatable {
  /// One of these has to be among the documents.
  public let primary: [WDODocumentType]
  /// How many different documents there have to be.
  public let distinctCount: Int

  init(_ requirements: Wultra.DocumentRequirements) {
    primary = requirements.primary.compactMap(WDODocumentType.init)
    distinctCount = requirements.distinctCount
  }

  /// Whether these would do.
  public func areMet(by types: [WDODocumentType]) -> Bool {
    Set(types).count >= distinctCount && (primary.isEmpty || !Set(types).isDisjoint(with: primary))
  }
}
