// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import PowerAuthCore

/// What the server says about the activation (powerauth.md §6, §10).
public final class PowerAuthActivationStatus: Sendable {
  public let state: PowerAuthActivationState
  /// Wrong signatures since the last right one.
  public let failCount: UInt32
  /// Wrong signatures that block the activation.
  public let maxFailCount: UInt32
  private let members: [String: JSONValue]?

  init(
    state: PowerAuthActivationState, failCount: UInt32, maxFailCount: UInt32, customObject: [String: JSONValue]?
  ) {
    self.state = state
    self.failCount = failCount
    self.maxFailCount = maxFailCount
    members = customObject
  }

  /// Wrong signatures that are left; zero unless the activation is active.
  public var remainingAttempts: UInt32 {
    state == .active && maxFailCount > failCount ? maxFailCount - failCount : 0
  }

  /// What the server adds, such as `activationFlags`. Lists and texts in it cast to Swift's.
  public var customObject: [String: NSObject]? { members?.mapValues(\.object) }
}
