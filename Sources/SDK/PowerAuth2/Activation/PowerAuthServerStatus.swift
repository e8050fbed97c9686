// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import PowerAuthCore

/// What runs at the server's address, and what time it is there (powerauth.md §4.6).
public final class PowerAuthServerStatus: Sendable {
  /// The server's clock when it answered.
  public let serverTime: Date
  public let applicationName: String?
  public let applicationDisplayName: String?
  public let applicationEnvironment: String?
  public let applicationVersion: String?
  /// Versions of the protocol that the server takes from this app, lowest first: `PowerAuthConfiguration` should name
  /// the last one. Empty where the server does not tell. Not in the published SDK.
  public let protocolVersions: [PowerAuthProtocolVersion]

  init(_ status: ServerStatus) {
    serverTime = Date(timeIntervalSince1970: Double(status.serverTime) / 1000)
    applicationName = status.application?.name
    applicationDisplayName = status.application?.displayName
    applicationEnvironment = status.application?.environment
    applicationVersion = status.application?.version
    protocolVersions = (status.protocolVersions ?? []).compactMap(PowerAuthProtocolVersion.init)
  }
}
