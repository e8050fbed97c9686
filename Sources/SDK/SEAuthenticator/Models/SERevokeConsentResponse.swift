// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import SaltEdgeWire

/// Whether a consent was revoked (saltedge-authenticator §4.9).
public struct SERevokeConsentResponse: Decodable, Sendable {
  public let consentId: String
  public let success: Bool

  init(_ wire: SaltEdgeV1.ConsentRevoked) { (consentId, success) = (wire.consentID.text, wire.success) }

  public init(from decoder: any Decoder) throws {
    self.init(try SaltEdge.Body<SaltEdgeV1.ConsentRevoked>(from: decoder).data)
  }
}
