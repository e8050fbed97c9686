// SPDX-License-Identifier: Apache-2.0

/// `X-PowerAuth-Encryption`: whose keys a request is encrypted with, when no signature tells it (powerauth.md §4.4).
public struct EncryptionHeader: Hashable, Sendable {
  public static let name = "X-PowerAuth-Encryption"

  public let version: ProtocolVersion
  public let applicationKey: ApplicationKey
  /// Nil in the scope of the application.
  public let activationIdentifier: ActivationIdentifier?

  public init(
    version: ProtocolVersion, applicationKey: ApplicationKey, activationIdentifier: ActivationIdentifier? = nil
  ) {
    self.version = version
    self.applicationKey = applicationKey
    self.activationIdentifier = activationIdentifier
  }

  /// - Throws: `malformed`, `tooLong`, `unsupportedVersion`.
  public init(value: String) throws(PowerAuthError) {
    let items = try HeaderItems(value)
    var activation: ActivationIdentifier?
    if let text = items["activation_id"] { activation = try ActivationIdentifier(text: text) }
    try self.init(
      version: ProtocolVersion(text: items.require("version")),
      applicationKey: ApplicationKey(text: items.require("application_key")), activationIdentifier: activation)
  }

  public var value: String {
    guard let activationIdentifier else {
      return HeaderItems.text(["version": version.rawValue, "application_key": applicationKey.text])
    }
    return HeaderItems.text([
      "version": version.rawValue, "application_key": applicationKey.text,
      "activation_id": activationIdentifier.text,
    ])
  }
}
