// SPDX-License-Identifier: Apache-2.0

/// The path of a resource, to be added to a bank's base address.
public struct SENetPathBuilder {
  /// What there is. v2 has no actions.
  public enum Endpoints: String, Sendable, CaseIterable {
    case connections, authorizations, actions, consents
  }

  /// With a slash in front and none behind.
  public let path: String

  public init(for endpoint: Endpoints, version: Int = 1) {
    path = "/api/authenticator/v\(version)/\(endpoint.rawValue)"
  }
}
