// SPDX-License-Identifier: Apache-2.0

/// What there is to do next in an activation: the values of `OAAction` (specification §2.2).
public enum ActivationStage: String, Sendable, Hashable, CaseIterable {
  case initializedSDK, fetchDeviceId, provideUserBasicDetail, sendUploadLink, sendUploadLinkOrOpenSecureScreen,
    secureScreenDismissed, completed

  /// Why no stage follows from what the server said (§4.1). Neither may look like success.
  public enum Fault: Error, Sendable, Hashable, CaseIterable {
    /// The server named no status: error 3001.
    case statusMissing
    /// A status that this version does not know: error 5000.
    case statusUnknown
  }

  /// The stage of a membership (§4.1).
  /// - Parameters:
  ///   - status: the word on the wire, nil when the server named none.
  ///   - hasIMEI: whether this device keeps an IMEI for this activation.
  ///   - isFrontRefused: see `isFrontRefused(_:)`.
  /// - Throws: `Fault` for a status that is missing or unknown.
  public static func of(
    status: String?, hasIMEI: Bool, isFrontRefused: Bool
  ) throws(Fault) -> ActivationStage {
    guard let word = status, !word.isEmpty else { throw .statusMissing }
    guard let status = MembershipStatus(rawValue: word) else { throw .statusUnknown }
    return of(status, hasIMEI: hasIMEI, isFrontRefused: isFrontRefused)
  }

  /// The stage of a membership whose status is known (§4.1).
  public static func of(_ status: MembershipStatus, hasIMEI: Bool, isFrontRefused: Bool) -> ActivationStage {
    switch status {
    case .detailsPending: hasIMEI ? .provideUserBasicDetail : .fetchDeviceId
    case .detailsComplete: hasIMEI ? .sendUploadLinkOrOpenSecureScreen : .fetchDeviceId
    case .reupload where !isFrontRefused: .sendUploadLink
    case .reupload: hasIMEI ? .sendUploadLinkOrOpenSecureScreen : .fetchDeviceId
    case .pending, .queued, .approved, .rejected, .cancelled: .completed
    }
  }

  /// Whether the photo of the front has to be taken again: the list has an entry of that name whose state is given and is
  /// not accepted (§4.1).
  /// - Parameter documents: names and states of the first device's required documents.
  public static func isFrontRefused(_ documents: [(name: String?, status: String?)]) -> Bool {
    documents.contains {
      $0.name == DocumentName.screenImage.rawValue && $0.status != nil && $0.status != DocumentStatus.accepted.rawValue
    }
  }
}
