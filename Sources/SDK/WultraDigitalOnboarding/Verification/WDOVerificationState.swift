// SPDX-License-Identifier: Apache-2.0

/// What the app shows: each state is a screen (wultra-onboarding.md §6, §7.3).
public enum WDOVerificationState: Sendable {
  /// Tell what is to come. Next: `consentGet`.
  case intro
  /// Show the text, plain or HTML, and ask. Next: `consentApprove`; a user who refuses goes back to `intro`, without a
  /// call.
  case consent(_ body: String)
  /// Let the user choose documents. Next: `documentsSetSelectedTypes`.
  case documentsToScanSelect
  /// Have the user scan them. Next: `documentsSubmit`.
  case scanDocument(_ process: WDOVerificationScanProcess)
  /// Wait. Next: `status`, until there is another state.
  case processing(_ item: ProcessingItem)
  /// Have the user show their face. Next: `presenceCheckInit`, the library of the check, `presenceCheckSubmit`.
  case presenceCheck
  /// Ask for the code that the user was sent. Next: `verifyOTP`.
  /// - remainingAttempts: how many codes may still be tried. Servers that do not count for the app leave it nil until
  ///   the first wrong one.
  case otp(_ remainingAttempts: Int?)
  /// It failed. Next: `restartVerification` or `cancelWholeProcess`, as the user likes.
  case failed
  /// It is over. Next: `PowerAuthSDK.removeActivationLocal()`, after `cancelWholeProcess`, and all from the start.
  case endstate(_ reason: EndstateReason)
  /// The user is verified.
  case success

  /// What is waited for.
  public enum ProcessingItem: Sendable, Hashable, CaseIterable {
    case other
    /// The pictures are being read.
    case documentUpload
    /// The documents are checked one by one.
    case documentVerification
    case documentAccepted
    /// The documents are compared with each other.
    case documentsCrossVerification
    case verifyingPresence
    /// The institution looks at the client.
    case clientVerification
    case clientAccepted
  }

  /// Why it is over.
  public enum EndstateReason: Sendable, Hashable, CaseIterable {
    /// The user or their documents were refused.
    case rejected
    /// Too many errors.
    case limitReached
    case other
  }
}

/// The published words.
extension WDOVerificationState: CustomStringConvertible {
  public var description: String {
    let name =
      switch self {
      case .intro: "intro"
      case .consent: "consent"
      case .documentsToScanSelect: "documentsToScanSelect"
      case .scanDocument: "scanDocument"
      case .processing(let item): "processing:\(item)"
      case .presenceCheck: "presenceCheck"
      case .otp: "otp"
      case .failed: "failed"
      case .endstate: "endstate"
      case .success: "success"
      }
    return "WDOVerificationState.\(name)"
  }
}

extension WDOVerificationState.ProcessingItem: CustomStringConvertible {
  public var description: String {
    let name =
      switch self {
      case .other: "other"
      case .documentUpload: "documentUpload"
      case .documentVerification: "documentVerification"
      case .documentAccepted: "documentAccepted"
      case .documentsCrossVerification: "documentsCrossVerification"
      case .verifyingPresence: "verifyingPresence"
      case .clientVerification: "clientVerification"
      case .clientAccepted: "clientAccepted"
      }
    return "WDOVerificationState.ProcessingItem.\(name)"
  }
}

extension WDOVerificationState.EndstateReason: CustomStringConvertible {
  public var description: String {
    let name =
      switch self {
      case .rejected: "rejected"
      case .limitReached: "limitReached"
      case .other: "other"
      }
    return "WDOVerificationState.EndstateReason.\(name)"
  }
}
