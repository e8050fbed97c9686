// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import SaltEdgeAuthenticator
internal import SaltEdgeWire
public import SEAuthenticatorCore

/// An authorization that only one connection's key can read (saltedge-authenticator §5.6).
public struct SEEncryptedAuthorizationData: SEBaseEncryptedAuthorizationData, Decodable, Equatable, Sendable {
  public let id: String
  /// Base64; empty when it is final or closed.
  public let data: String
  /// Base64; empty when it is final or closed.
  public let key: String
  /// Base64; empty when it is final or closed.
  public let iv: String
  public let status: AuthorizationStatus
  public var connectionId: String?
  /// The same as `id`.
  public var entityId: String?

  init(_ wire: SaltEdgeV2.Authorization) {
    (id, entityId) = (wire.id.text, wire.id.text)
    (data, key, iv) = (wire.payload.data, wire.payload.key, wire.payload.iv)
    status = AuthorizationStatus(wire.status)
    connectionId = wire.connectionID.text
  }

  /// Reads an authorization; ids are numbers or texts.
  public init(from decoder: any Decoder) throws { self.init(try SaltEdgeV2.Authorization(from: decoder)) }
}

/// One authorization.
public struct SEEncryptedAuthorizationDataResponse: Decodable, Sendable {
  public let data: SEEncryptedAuthorizationData

  init(_ wire: SaltEdgeV2.Authorization) { data = SEEncryptedAuthorizationData(wire) }
}

/// Authorizations.
public struct SEEncryptedAuthorizationsListResponse: Decodable, Sendable {
  public let data: [SEEncryptedAuthorizationData]

  init(_ wire: ReadableList<SaltEdgeV2.Authorization>) { data = wire.items.map(SEEncryptedAuthorizationData.init) }
}
