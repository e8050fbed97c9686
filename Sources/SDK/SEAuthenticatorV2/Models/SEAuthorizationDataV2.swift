// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import SEAuthenticatorCore

/// What is to be confirmed or denied, once decrypted (saltedge-authenticator §5.6).
public class SEAuthorizationDataV2: SEBaseAuthorizationData, Equatable {
  public let id: String
  public let connectionId: String
  public let status: AuthorizationStatus
  public let title: String
  /// The object with `text`, `html`, `payment` and `extra`. HTML is not to be shown unless cleaned.
  public let description: [String: Any]
  public let authorizationCode: String?
  public let createdAt: Date
  public let expiresAt: Date
  public let apiVersion: ApiVersion = "2"

  /// - Parameters:
  ///   - dictionary: what was decrypted.
  ///   - id: of what was encrypted, like the connection and the status.
  /// - Returns: nil when a member that has to be there is not. An authorization code need not.
  public init?(_ dictionary: [String: Any], id: String, connectionId: String, status: AuthorizationStatus) {
    let members = Members(dictionary)
    guard let title = members.text(SENetKeys.title),
      let description = members[SENetKeys.description] as? [String: Any],
      let createdAt = members.instant(SENetKeys.createdAt), let expiresAt = members.instant(SENetKeys.expiresAt)
    else { return nil }
    (self.id, self.connectionId, self.status) = (id, connectionId, status)
    self.title = title
    self.description = description
    self.createdAt = createdAt
    self.expiresAt = expiresAt
    authorizationCode = members.text(SENetKeys.authorizationCode)
  }

  /// Of an authorization that is final or closed, with nothing in it to be decrypted: made and expired now.
  public init(id: String, connectionId: String, status: AuthorizationStatus) {
    (self.id, self.connectionId, self.status) = (id, connectionId, status)
    (title, description, authorizationCode) = ("", [:], nil)
    createdAt = SEAuthenticatorPlatform.current.now
    expiresAt = createdAt
  }

  public static func == (left: SEAuthorizationDataV2, right: SEAuthorizationDataV2) -> Bool {
    (left.id, left.connectionId, left.status, left.title) == (
      right.id, right.connectionId, right.status, right.title
    )
      && (left.authorizationCode, left.createdAt, left.expiresAt) == (
        right.authorizationCode, right.createdAt, right.expiresAt
      )
      && left.description.jsonString == right.description.jsonString
  }
}
