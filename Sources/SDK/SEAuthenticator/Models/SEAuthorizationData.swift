// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import SaltEdgeWire
public import SEAuthenticatorCore

/// What is to be confirmed or denied, once decrypted (saltedge-authenticator §4.6).
public final class SEAuthorizationData: SEBaseAuthorizationData, Equatable, Sendable {
  public let id: String
  public let connectionId: String
  public let title: String
  /// Plain text or HTML: not to be shown unless cleaned.
  public let description: String
  public let authorizationCode: String?
  public let createdAt: Date
  public let expiresAt: Date
  public let apiVersion: ApiVersion = "1"

  /// - Returns: nil when a member that has to be there is not.
  public init?(_ dictionary: [String: Any]) {
    let members = Members(dictionary)
    guard let id = members.id(SENetKeys.id), let connectionId = members.id(SENetKeys.connectionId),
      let title = members.text(SENetKeys.title), let description = members.text(SENetKeys.description),
      let createdAt = members.instant(SENetKeys.createdAt), let expiresAt = members.instant(SENetKeys.expiresAt)
    else { return nil }
    self.id = id
    self.connectionId = connectionId
    self.title = title
    self.description = description
    self.createdAt = createdAt
    self.expiresAt = expiresAt
    authorizationCode = members.text(SENetKeys.authorizationCode)
  }

  public static func == (left: SEAuthorizationData, right: SEAuthorizationData) -> Bool {
    (left.id, left.connectionId, left.title, left.description) == (
      right.id, right.connectionId, right.title, right.description
    )
      && (left.authorizationCode, left.createdAt, left.expiresAt) == (
        right.authorizationCode, right.createdAt, right.expiresAt
      )
  }
}

/// How a decision was taken (saltedge-authenticator §4.7).
public struct SEConfirmAuthorizationResponse: Decodable, Sendable {
  /// The authorization.
  public let id: String
  /// False when the code is not the right one: the authorization waits still.
  public let success: Bool

  init(_ wire: SaltEdgeV1.Decided) { (id, success) = (wire.id.text, wire.success) }

  public init(from decoder: any Decoder) throws {
    self.init(try SaltEdge.Body<SaltEdgeV1.Decided>(from: decoder).data)
  }
}
