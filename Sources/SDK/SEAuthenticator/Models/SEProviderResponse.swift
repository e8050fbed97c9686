// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import SaltEdgeAuthenticator
internal import SaltEdgeWire
internal import SEAuthenticatorCore

/// What a bank says of itself (saltedge-authenticator §4.1).
public struct SEProviderResponse: Decodable, Sendable {
  /// Base of all later calls.
  public var baseUrl: URL
  public let name: String
  public let code: String
  /// `1`.
  public var version: String
  public var logoUrl: URL?
  /// Empty when the bank does not say.
  public var supportEmail: String
  /// True when a place must be sent, false when it may be, nil when it is of no use.
  public let geolocationRequired: Bool?

  init(_ wire: SaltEdgeV1.Configuration) throws(AuthenticatorError) {
    guard let baseUrl = URL(string: wire.connectURL) else { throw .unusableAnswer }
    self.baseUrl = baseUrl
    name = wire.name
    code = wire.code
    version = wire.version
    logoUrl = wire.logoURL.flatMap { URL(string: $0) }
    supportEmail = wire.supportEmail ?? ""
    geolocationRequired = wire.requiresGeolocation
  }

  public init(from decoder: any Decoder) throws {
    try self.init(SaltEdge.Body<SaltEdgeV1.Configuration>(from: decoder).data)
  }
}
