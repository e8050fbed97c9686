// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import SaltEdgeWire

/// Which consent was revoked (saltedge-authenticator §5.9).
public struct SERevokeConsentResponseV2: Decodable, Sendable {
  public let id: String

  init(_ wire: SaltEdgeV2.ConsentRevoked) { id = wire.id.text }

  public init(from decoder: any Decoder) throws {
    self.init(try SaltEdge.Body<SaltEdgeV2.ConsentRevoked>(from: decoder).data)
  }
}
