// SPDX-License-Identifier: Apache-2.0

/// A failure of this module's own, in words for developers.
public struct WDOError: Error, Sendable, Equatable {
  public let localizedDescription: String

  init(_ description: String) { localizedDescription = description }
}
