// SPDX-License-Identifier: Apache-2.0

/// What to ask `initiateApplication` for.
public struct InitiateApplicationRequest: Hashable, Codable, Sendable {
  /// `depositV1`, `prepaidV1`, `creditcardV1`, `productlessV1` or `kycV1`.
  public var bundleId: String
  /// The signed-in customer's own id, or nil.
  public var customerId: String?

  /// Creates the value from its member.
  public init(bundleId: String) { self.bundleId = bundleId }

  /// The older spelling: the product's id is the bundle's.
  public init(customerId: String?, productId: String) {
    self.customerId = customerId
    bundleId = productId
  }
}
