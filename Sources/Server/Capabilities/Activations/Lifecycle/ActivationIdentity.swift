// SPDX-License-Identifier: Apache-2.0

import Kit
import PowerAuthCore

/// How a device says whom it is to be activated for (powerauth.md §3.2).
package enum ActivationIdentity: Sendable {
  case code(ActivationCode)
  /// The PUK is nil where something else stands in its place: a wrong one as any other.
  case recovery(RecoveryCode, RecoveryPUK?)
  case custom([String: String], attributes: [String: JSONValue]?)

  /// Characters of the longest attribute, and how many there may be.
  package static let attributeLengthMax = 1024
  package static let attributesMax = 32

  /// Reads the outer layer.
  /// - Throws: `Problem.activationInvalid` for missing, misspelt or too many attributes, for a NUL, which no store
  ///   keeps,
  ///   and for `DIRECT`, which only newer servers know.
  package init(_ request: ActivationRequest) throws(Problem) {
    let attributes = request.identityAttributes
    guard attributes.count <= Self.attributesMax,
      attributes.allSatisfy({
        NewDevice.isStorable($0.key, max: Self.attributeLengthMax)
          && NewDevice.isStorable($0.value, max: Self.attributeLengthMax)
      })
    else { throw .activationInvalid }
    switch request.type {
    case .code:
      guard let code = attributes["code"].flatMap({ try? ActivationCode(text: $0) }) else { throw .activationInvalid }
      self = .code(code)
    case .recovery:
      guard let code = attributes["recoveryCode"].flatMap({ try? RecoveryCode(text: $0) }),
        let puk = attributes["puk"], !puk.isEmpty
      else { throw .activationInvalid }
      self = .recovery(code, try? RecoveryPUK(text: puk))
    case .custom: self = .custom(attributes, attributes: request.customAttributes)
    case .direct: throw .activationInvalid
    }
  }
}

extension NewDevice {
  /// Longest texts, in bytes of UTF-8.
  package static let nameMax = 255
  package static let extrasMax = 4096

  /// Reads the inner layer.
  /// - Throws: `Problem.activationInvalid` for a key off the curve, texts too long, or a NUL, which no store keeps.
  package init(
    _ device: ActivationDevice, applicationKey: ApplicationKey, version: ProtocolVersion
  ) throws(Problem) {
    guard let publicKey = try? ECPublicKey(base64: device.devicePublicKey),
      [device.activationName, device.platform, device.deviceInfo, device.externalId, device.activationOtp]
        .allSatisfy({ Self.isStorable($0, max: Self.nameMax) }),
      Self.isStorable(device.extras, max: Self.extrasMax)
    else { throw .activationInvalid }
    self.init(
      applicationKey: applicationKey, version: version, publicKey: publicKey,
      details: .init(
        name: device.activationName, extras: device.extras, platform: device.platform, info: device.deviceInfo),
      otp: device.activationOtp, externalID: device.externalId)
  }

  static func isStorable(_ text: String?, max length: Int) -> Bool {
    guard let text else { return true }
    return text.utf8.count <= length && !text.utf8.contains(0)
  }
}
