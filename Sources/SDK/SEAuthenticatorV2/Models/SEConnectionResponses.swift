// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import SaltEdgeWire

/// Which connection was revoked (saltedge-authenticator §5.4).
public struct SERevokeConnectionResponseV2: Decodable, Sendable {
  public let connectionId: String

  init(_ wire: SaltEdgeV2.ConnectionChanged) { connectionId = wire.connectionID.text }

  public init(from decoder: any Decoder) throws {
    self.init(try SaltEdge.Body<SaltEdgeV2.ConnectionChanged>(from: decoder).data)
  }
}

/// Which connection's push token was changed (saltedge-authenticator §5.4). Not in the published SDK for iOS.
public struct SEUpdateConnectionResponseV2: Decodable, Sendable {
  public let connectionId: String

  init(_ wire: SaltEdgeV2.ConnectionChanged) { connectionId = wire.connectionID.text }

  public init(from decoder: any Decoder) throws {
    self.init(try SaltEdge.Body<SaltEdgeV2.ConnectionChanged>(from: decoder).data)
  }
}

/// A connection as the service knows it (saltedge-authenticator §5.4). Not in the published SDK for iOS.
public struct SEShowConnectionResponseV2: Decodable, Sendable {
  public let id: String
  /// `authentication_pending`, `authentication_fail`, `valid` or `revoked`; more may come.
  public let status: String
  /// The device's in PEM, once the bank told it.
  public let publicKey: String?
  public let pushToken: String?
  /// RFC 3339 in UTC.
  public let createdAt: String

  init(_ wire: SaltEdgeV2.Connection) {
    id = wire.id.text
    status = wire.status.rawValue
    publicKey = wire.publicKey
    pushToken = wire.pushToken
    createdAt = wire.createdAt
  }

  public init(from decoder: any Decoder) throws {
    self.init(try SaltEdge.Body<SaltEdgeV2.Connection>(from: decoder).data)
  }
}
