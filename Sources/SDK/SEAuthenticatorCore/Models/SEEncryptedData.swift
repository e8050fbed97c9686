// SPDX-License-Identifier: Apache-2.0

internal import Foundation
package import SaltEdgeWire

/// What only one connection's key can read.
public protocol SEBaseEncryptedAuthorizationData {
  /// Base64; empty when there is nothing to read.
  var data: String { get }
  /// Base64; empty when there is nothing to read.
  var key: String { get }
  /// Base64; empty when there is nothing to read.
  var iv: String { get }
  /// Whose key it is encrypted for.
  var connectionId: String? { get }
  /// The authorization or the consent.
  var entityId: String? { get }
}

/// An authorization of v1, a consent, or a key for a bank to read (saltedge-authenticator §4.6, §4.9, §5.2).
public struct SEEncryptedData: SEBaseEncryptedAuthorizationData, Decodable, Equatable, Sendable {
  public let data: String
  public let key: String
  public let iv: String
  public var connectionId: String?
  public var entityId: String?

  public init(data: String, key: String, iv: String, connectionId: String? = nil) {
    self.init(.init(key: key, iv: iv, data: data), connectionId: connectionId, entityId: nil)
  }

  package init(_ ciphertext: SaltEdge.Ciphertext, connectionId: String? = nil, entityId: String? = nil) {
    (data, key, iv) = (ciphertext.data, ciphertext.key, ciphertext.iv)
    (self.connectionId, self.entityId) = (connectionId, entityId)
  }

  package init(_ entity: SaltEdgeV1.Entity) {
    self.init(entity.payload, connectionId: entity.connectionID?.text, entityId: entity.id?.text)
  }

  /// Reads an entity; ids are numbers or texts.
  public init(from decoder: any Decoder) throws { self.init(try SaltEdgeV1.Entity(from: decoder)) }

  package var ciphertext: SaltEdge.Ciphertext { .init(key: key, iv: iv, data: data) }

  /// Which authorization or consent it is does not count, as published.
  public static func == (left: SEEncryptedData, right: SEEncryptedData) -> Bool {
    left.ciphertext == right.ciphertext && left.connectionId == right.connectionId
  }
}

/// One entity.
public struct SEEncryptedDataResponse: Decodable, Sendable {
  public var data: SEEncryptedData

  package init(_ entity: SaltEdgeV1.Entity) { data = SEEncryptedData(entity) }
}

/// Entities.
public struct SEEncryptedListResponse: Decodable, Sendable {
  public var data: [SEEncryptedData]

  package init(_ entities: [SaltEdgeV1.Entity]) { data = entities.map(SEEncryptedData.init) }
}
