// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import PowerAuthCore

/// The protocol that an instance speaks (powerauth.md §1).
public enum PowerAuthProtocolVersion: String, Sendable, CaseIterable {
  /// Requests are encrypted to long-lived keys.
  case v32 = "3.2"
  /// Requests are encrypted to temporary keys, which are fetched as needed.
  case v33 = "3.3"
}

/// Which server an instance talks to, and how (powerauth.md §10).
public final class PowerAuthConfiguration {
  public static let defaultInstanceId = "default"

  /// Sets the activations of one app apart: each has its own state.
  public var instanceId: String
  /// The server's address; `/pa/v3/…` is added.
  public var baseEndpointUrl: String
  /// What the server's operator hands out for the app: keys, as one text (powerauth.md §2.1).
  public let configuration: String
  /// 3.3 unless set.
  public var protocolVersion = PowerAuthProtocolVersion.v33
  /// Names the biometric factor's key; nil for a name of the instance's own.
  public var keychainKey_Biometry: String?
  /// 16 bytes of the app's own that lock the knowledge and biometry factors once more; nil for none (powerauth.md
  /// §3.5).
  public var externalEncryptionKey: Data?
  /// Digits of each part of an offline signature, 4 to 8.
  public var offlineSignatureComponentLength = 8
  /// Has no effect: activations of protocols that need an upgrade are never made here.
  public var disableAutomaticProtocolUpgrade = false

  /// Creates the configuration; an instance checks it, see `validateConfiguration()`.
  public init(
    instanceId: String = PowerAuthConfiguration.defaultInstanceId, baseEndpointUrl: String, configuration: String
  ) {
    self.instanceId = instanceId
    self.baseEndpointUrl = baseEndpointUrl
    self.configuration = configuration
  }

  /// Whether an instance can be made of it. Calls of one that was made of an invalid configuration fail.
  public func validateConfiguration() -> Bool { (try? ClientSetup(self)) != nil }
}
