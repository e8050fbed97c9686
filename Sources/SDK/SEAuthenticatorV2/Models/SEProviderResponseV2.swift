// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import SaltEdgeAuthenticator
internal import SaltEdgeWire
internal import SEAuthenticatorCore

/// What the service says of a bank (saltedge-authenticator §5.1).
public struct SEProviderResponseV2: Decodable, Sendable {
  public let name: String
  /// Base of all later calls.
  public var baseUrl: URL
  public let providerId: String
  /// `2`.
  public let apiVersion: String
  public var logoUrl: URL?
  public var supportEmail: String
  /// The bank's, SubjectPublicKeyInfo in PEM. Keep it by `SECryptoHelper.createKey(from:isPublic:tag:)` under
  /// `SETagHelper.provider(for:)`: confirming and denying encrypt for it.
  public var publicKey: String
  /// True when a place must be sent, false when it may be, nil when it is of no use.
  public let geolocationRequired: Bool?

  init(_ wire: SaltEdgeV2.Configuration) throws(AuthenticatorError) {
    guard let baseUrl = URL(string: wire.serviceURL) else { throw .unusableAnswer }
    self.baseUrl = baseUrl
    name = wire.providerName
    providerId = wire.providerID.text
    apiVersion = wire.apiVersion
    logoUrl = wire.providerLogoURL.flatMap { URL(string: $0) }
    supportEmail = wire.providerSupportEmail
    publicKey = wire.providerPublicKey
    geolocationRequired = wire.requiresGeolocation
  }

  public init(from decoder: any Decoder) throws {
    try self.init(SaltEdge.Body<SaltEdgeV2.Configuration>(from: decoder).data)
  }
}
