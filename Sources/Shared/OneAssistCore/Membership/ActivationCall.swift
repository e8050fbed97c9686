// SPDX-License-Identifier: Apache-2.0

/// The calls of an activation that have preconditions (specification §4.2).
public enum ActivationCall: String, Sendable, Hashable, CaseIterable {
  case fetchDeviceId, submitBasicDetails, sendUploadLink, openSecureScreen

  /// In which statuses the call is allowed (§4.2).
  public var statuses: Set<MembershipStatus> {
    switch self {
    case .fetchDeviceId, .submitBasicDetails: [.detailsPending, .detailsComplete, .reupload]
    case .sendUploadLink, .openSecureScreen: [.detailsComplete, .reupload]
    }
  }

  /// Whether an IMEI has to be there first.
  public var needsIMEI: Bool { self == .sendUploadLink || self == .openSecureScreen }

  /// Whether a link has to have been sent first, and no screen may be captured.
  public var showsSecureScreen: Bool { self == .openSecureScreen }

  /// The first precondition that does not hold, in the one order that both ends keep (§4.2); nil when all do.
  public func firstFault(_ facts: CallFacts) -> CallFault? {
    if !facts.hasToken { return .emptyToken }
    if !facts.hasActivationCode { return .emptyActivationCode }
    if needsIMEI, !facts.hasIMEI { return .imeiMissing }
    if let fault = facts.argumentFault { return .argument(fault) }
    guard let status = MembershipStatus(rawValue: facts.status ?? "") else { return .statusUnknown }
    if !statuses.contains(status) { return .status(status) }
    if showsSecureScreen, !facts.isLinkSent { return .linkNotSent }
    if showsSecureScreen, facts.isScreenCaptured { return .screenCaptured }
    return nil
  }
}

/// What preconditions are decided on. As it is made, everything holds but the status, which has to be said.
public struct CallFacts: Sendable, Hashable {
  public var hasToken = true
  public var hasActivationCode = true
  public var hasIMEI = true
  /// What is wrong with the call's arguments.
  public var argumentFault: ArgumentFault?
  /// The membership's status as the wire has it.
  public var status: String?
  /// Whether a link was ever sent for this activation.
  public var isLinkSent = true
  /// Whether any screen is recorded or mirrored.
  public var isScreenCaptured = false

  /// Facts of a call with nothing against it but, possibly, its status.
  public init(status: String?) { self.status = status }
}

/// What is wrong with the arguments of a call (specification §4.2, step 4).
public enum ArgumentFault: Sendable, Hashable, CaseIterable {
  case emptyUserDetails, emptyPinCode, emptyAddress, emptyMobileNumber, mobileInvalid, secondaryEqualsPrimary

  /// As `OAError.errorCode` and the server's `errorCode` say it (§2.3, §6).
  public var code: String {
    switch self {
    case .emptyMobileNumber: "1003"
    case .emptyUserDetails: "1004"
    case .emptyPinCode: "1005"
    case .emptyAddress: "1006"
    case .mobileInvalid: "MOBILE_INVALID"
    case .secondaryEqualsPrimary: "SECONDARY_EQUALS_PRIMARY"
    }
  }

  /// What is wrong with PIN code and address, of which blank is as good as absent.
  ///
  /// `submitBasicDetails` needs both. `fetchDeviceId` takes both or none.
  public static func ofDetails(pinCode: String?, address: String?, in call: ActivationCall) -> ArgumentFault? {
    switch (isBlank(pinCode), isBlank(address)) {
    case (true, true): call == .submitBasicDetails ? .emptyUserDetails : nil
    case (true, false): .emptyPinCode
    case (false, true): .emptyAddress
    case (false, false): nil
    }
  }

  /// Nothing but white space.
  static func isBlank(_ text: String?) -> Bool { text?.allSatisfy(\.isWhitespace) ?? true }
}

/// A precondition that does not hold.
public enum CallFault: Sendable, Hashable {
  case emptyToken, emptyActivationCode, imeiMissing
  case argument(ArgumentFault)
  /// The call is not one of this status.
  case status(MembershipStatus)
  case statusUnknown, linkNotSent, screenCaptured

  /// As `OAError.errorCode` says it (§2.3).
  public var code: String {
    switch self {
    case .emptyToken: "1001"
    case .emptyActivationCode: "1002"
    case .imeiMissing: "1007"
    case .argument(let fault): fault.code
    case .status(let status): status.refusalCode ?? "5000"
    case .statusUnknown: "5000"
    case .linkNotSent: "1008"
    case .screenCaptured: "4003"
    }
  }
}
