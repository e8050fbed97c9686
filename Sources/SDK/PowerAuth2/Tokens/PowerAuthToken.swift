// SPDX-License-Identifier: Apache-2.0

/// A token that is on this device (powerauth.md §7, §10).
public final class PowerAuthToken: Sendable {
  public let tokenName: String
  /// What the server calls it.
  public let tokenIdentifier: String
  private let token: StoredToken
  private let client: ActivationClient

  init(_ name: String, _ token: StoredToken, _ client: ActivationClient) {
    tokenName = name
    tokenIdentifier = token.identifier
    self.token = token
    self.client = client
  }

  /// Whether it still is what the device has under its name.
  public var isValid: Bool { client.localToken(tokenName)?.identifier == tokenIdentifier }

  /// Whether a header can be made now: the token is valid, and the server's time is known.
  public var canGenerateHeader: Bool { isValid && client.time.isSynchronized }

  /// A header for one request.
  /// - Returns: nil unless `canGenerateHeader`.
  public func generateHeader() -> PowerAuthAuthorizationHttpHeader? { isValid ? client.header(by: token) : nil }
}
