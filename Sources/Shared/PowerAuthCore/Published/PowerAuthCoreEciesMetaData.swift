// SPDX-License-Identifier: Apache-2.0

/// The header that goes with an encrypted request, unless a signature's header already says whose it is (powerauth.md
/// §4.4, §10).
public final class PowerAuthCoreEciesMetaData: Sendable {
  /// The app's key.
  public let applicationKey: String
  /// Nil in the scope of the application.
  public let activationIdentifier: String?
  /// `X-PowerAuth-Encryption`.
  public let httpHeaderKey: String
  public let httpHeaderValue: String

  public init(_ header: EncryptionHeader) {
    applicationKey = header.applicationKey.text
    activationIdentifier = header.activationIdentifier?.text
    httpHeaderKey = EncryptionHeader.name
    httpHeaderValue = header.value
  }
}
