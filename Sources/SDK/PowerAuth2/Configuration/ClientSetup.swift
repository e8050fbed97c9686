// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import PowerAuthCore

/// A configuration that was read and found good.
struct ClientSetup: Sendable {
  let instanceId: String
  let baseEndpointUrl: String
  let application: SDKConfiguration
  let version: ProtocolVersion
  let biometryKeyName: String
  let offlineLength: SignatureFormat.DecimalLength
  let externalKey: UnlockKey?

  /// - Throws: `wrongParameter`.
  init(_ configuration: PowerAuthConfiguration) throws(CallFailure) {
    guard !configuration.instanceId.isEmpty, let url = URL(string: configuration.baseEndpointUrl),
      ["http", "https"].contains(url.scheme ?? ""), url.host?.isEmpty == false, url.query == nil
    else { throw CallFailure(.wrongParameter, "The configuration has no instance identifier or no usable address.") }
    guard let application = try? SDKConfiguration(text: configuration.configuration),
      let version = ProtocolVersion(rawValue: configuration.protocolVersion.rawValue),
      let offlineLength = try? SignatureFormat.DecimalLength(configuration.offlineSignatureComponentLength)
    else { throw CallFailure(.wrongParameter, "The configuration string or a length in the configuration is invalid.") }
    externalKey = try configuration.externalEncryptionKey.map { bytes throws(CallFailure) in
      try UnlockKey(external: bytes)
    }
    instanceId = configuration.instanceId
    baseEndpointUrl = configuration.baseEndpointUrl
    self.application = application
    self.version = version
    self.offlineLength = offlineLength
    biometryKeyName = configuration.keychainKey_Biometry ?? "powerauth.\(configuration.instanceId).biometry"
  }
}

extension UnlockKey {
  /// An external encryption key.
  /// - Throws: `wrongParameter` unless there are 16 bytes that are not all zero.
  init(external bytes: Data) throws(CallFailure) {
    guard let key = try? UnlockKey(guardedKey: SecretKey(bytes)) else {
      throw CallFailure(.wrongParameter, "An external encryption key has 16 bytes that are not all zero.")
    }
    self = key
  }
}
