// SPDX-License-Identifier: Apache-2.0

import GatehouseWire

/// Where a code goes (rubix-onboarding §6.10); also the part of the path.
public enum OTPChannel: String, CaseIterable, Codable, Sendable {
  /// To the phone number.
  case sms
  /// To the e-mail address.
  case email

  /// The step that sending reaches.
  public var sentStep: OnboardingStep { self == .sms ? .smsOTPSent : .emailOTPSent }

  /// The step that verifying reaches.
  public var verifiedStep: OnboardingStep { self == .sms ? .smsOTPVerified : .emailOTPVerified }
}

/// Answer of `POST /otp/{channel}/send` (rubix-onboarding §6.10). The request body is `{}`.
public struct SendOTPResponse: Codable, Sendable, Equatable {
  /// `SUCCESS`.
  public var status: ResponseStatus
  /// Where it went, masked.
  public var destination: String
  /// Seconds of life of the code.
  public var expiresIn: Int
  /// Seconds until another may be asked for.
  public var resendIn: Int
  /// Digits.
  public var codeLength: Int
  /// Sends left for now.
  public var sendsLeft: Int

  /// Creates the value from its members.
  public init(
    status: ResponseStatus = .success,
    destination: String,
    expiresIn: Int,
    resendIn: Int,
    codeLength: Int,
    sendsLeft: Int
  ) {
    self.status = status
    self.destination = destination
    self.expiresIn = expiresIn
    self.resendIn = resendIn
    self.codeLength = codeLength
    self.sendsLeft = sendsLeft
  }

  enum CodingKeys: String, CodingKey {
    case status
    case destination
    case expiresIn = "expires_in"
    case resendIn = "resend_in"
    case codeLength = "code_length"
    case sendsLeft = "sends_left"
  }
}

/// Body of `POST /otp/{channel}/verify` (rubix-onboarding §6.10).
///
/// Read with the type under its published name too, `verification_type`, and in letters of either case.
public struct VerifyOTPRequest: Codable, Sendable, Equatable {
  /// What the customer typed.
  public var code: String
  /// Must agree with the path when given.
  public var type: OTPChannel?

  /// Creates the value from its members.
  public init(code: String, type: OTPChannel? = nil) {
    self.code = code
    self.type = type
  }

  /// Reads the value. Two types must be the same one.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    code = try members.decode(String.self, forKey: .code)
    let (type, published) = (try members.channel(.type), try members.channel(.verificationType))
    guard type == nil || published == nil || type == published else {
      throw DecodingError.dataCorruptedError(
        forKey: .verificationType, in: members, debugDescription: "Another type than `type`.")
    }
    self.type = type ?? published
  }

  /// Writes the type as `type`.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(code, forKey: .code)
    try members.encodeIfPresent(type, forKey: .type)
  }

  fileprivate enum CodingKeys: String, CodingKey {
    case code, type
    case verificationType = "verification_type"
  }
}

extension KeyedDecodingContainer<VerifyOTPRequest.CodingKeys> {
  fileprivate func channel(_ key: Key) throws -> OTPChannel? {
    try decodeIfPresent(String.self, forKey: key).map { word in
      guard let channel = OTPChannel(rawValue: word.lowercased()) else {
        throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "Neither SMS nor email.")
      }
      return channel
    }
  }
}

/// Answer of `POST /otp/{channel}/verify` (rubix-onboarding §6.10). A wrong code is the problem `otp-mismatch`.
public struct VerifyOTPResponse: Codable, Sendable, Equatable {
  /// `VERIFIED`.
  public var status: OTPStatus
  /// True on a repeat (§5.3); left out otherwise.
  public var alreadyVerified: Bool?

  /// Creates the value from its members.
  public init(status: OTPStatus = .verified, alreadyVerified: Bool? = nil) {
    self.status = status
    self.alreadyVerified = alreadyVerified
  }

  enum CodingKeys: String, CodingKey {
    case status
    case alreadyVerified = "already_verified"
  }
}

/// State of a contact after a code (rubix-onboarding §6.10).
public struct OTPStatus: OpenEnumeration {
  /// The word on the wire.
  public let rawValue: String

  /// Wraps any word, also one that this version does not know.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// `VERIFIED`.
  public static let verified = OTPStatus(rawValue: "VERIFIED")

  /// Every word that this version knows, in the order of the specification.
  public static let known: [OTPStatus] = [.verified]
}
