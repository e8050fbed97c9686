// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import PowerAuthCore

/// How a device is to be activated: with a code, a recovery code, or what an application's own server understands
/// (powerauth.md §3.2, §10).
public final class PowerAuthActivation {
  /// Everything that the server is told, but for the device's key.
  struct Order: Sendable, Redacted {
    let type: ActivationType
    let identityAttributes: [String: String]
    /// A scanned code, whose signature must be the server's.
    let scannedCode: ScannedCode?
    let name: String?
    var extras: String?
    var otp: String?
    var customAttributes: [String: JSONValue]?
  }

  private var order: Order
  private var invalidAttributes = false

  private init(_ order: Order) { self.order = order }

  /// With a code, as it is typed or scanned.
  /// - Throws: `invalidActivationCode`.
  public convenience init(activationCode: String, name: String?) throws {
    guard let scanned = try? ScannedCode(text: activationCode) else {
      throw CallFailure(.invalidActivationCode, "This is no activation code.").nsError
    }
    self.init(
      Order(
        type: .code, identityAttributes: ["code": scanned.code.text], scannedCode: scanned,
        name: name))
  }

  /// With a code, as it is typed or scanned.
  /// - Throws: `invalidActivationCode`.
  public convenience init(activationCode: String) throws { try self.init(activationCode: activationCode, name: nil) }

  /// With a recovery code, with or without `R:`, and its PUK of ten digits.
  /// - Throws: `invalidActivationCode`.
  public convenience init(recoveryCode: String, recoveryPuk: String, name: String?) throws {
    guard let code = try? RecoveryCode(text: recoveryCode), let puk = try? RecoveryPUK(text: recoveryPuk) else {
      throw CallFailure(.invalidActivationCode, "This is no recovery code or no PUK.").nsError
    }
    self.init(
      Order(
        type: .recovery, identityAttributes: ["recoveryCode": code.text, "puk": puk.text], scannedCode: nil,
        name: name))
  }

  /// With a recovery code, with or without `R:`, and its PUK of ten digits.
  /// - Throws: `invalidActivationCode`.
  public convenience init(recoveryCode: String, recoveryPuk: String) throws {
    try self.init(recoveryCode: recoveryCode, recoveryPuk: recoveryPuk, name: nil)
  }

  /// With what the application's own server understands.
  /// - Throws: `invalidActivationData` without any.
  public convenience init(identityAttributes: [String: String], name: String?) throws {
    guard !identityAttributes.isEmpty else {
      throw CallFailure(.invalidActivationData, "A custom activation needs attributes.").nsError
    }
    self.init(Order(type: .custom, identityAttributes: identityAttributes, scannedCode: nil, name: name))
  }

  /// With what the application's own server understands.
  /// - Throws: `invalidActivationData` without any.
  public convenience init(identityAttributes: [String: String]) throws {
    try self.init(identityAttributes: identityAttributes, name: nil)
  }

  /// Adds a text for the server's records.
  @discardableResult
  public func with(extras: String) -> PowerAuthActivation {
    order.extras = extras
    return self
  }

  /// Adds JSON for the application's own server.
  @discardableResult
  public func with(customAttributes: [String: Any]) -> PowerAuthActivation {
    order.customAttributes = try? JSONValue.members(of: customAttributes)
    invalidAttributes = order.customAttributes == nil
    return self
  }

  /// Adds the one-time password that a server may ask for beside the code.
  @discardableResult
  public func with(additionalActivationOtp: String) -> PowerAuthActivation {
    order.otp = additionalActivationOtp
    return self
  }

  /// What is ordered at this moment.
  /// - Throws: `invalidActivationData` when custom attributes are no JSON or the one-time password is empty.
  func placed() throws(CallFailure) -> Order {
    guard !invalidAttributes, order.otp?.isEmpty != true else {
      throw CallFailure(.invalidActivationData, "The attributes are no JSON, or the one-time password is empty.")
    }
    return order
  }
}
