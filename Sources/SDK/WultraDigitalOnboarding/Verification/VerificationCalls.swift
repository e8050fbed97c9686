// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import GatehouseTransport
internal import PowerAuth2
internal import PowerAuthCore
internal import Locks
internal import WultraPowerAuthNetworking
internal import WultraWire

/// The verification of the user of an activation, call by call (wultra-onboarding.md §6).
final class VerificationCalls: Sendable {
  let networking: WPNNetworkingService
  private let server: WultraServer
  private let selected: StoredText
  private let last = Guarded<Wultra.IdentityState?>(nil)

  init(networking: WPNNetworkingService) {
    self.networking = networking
    server = WultraServer(networking: networking)
    selected = StoredText("wdocp_\(networking.powerAuth.configuration.instanceId)", of: networking.powerAuth)
    // What was chosen for an activation that is gone is of no use.
    if !networking.powerAuth.hasValidActivation() { try? selected.forget() }
  }

  var lastStatus: Wultra.IdentityState? { last.withLock { $0 } }

  /// Whether there may be something else to show: another state than the last one that was asked for, or pictures of
  /// which the state says nothing.
  func isNew(_ event: Wultra.IdentityEvent) -> Bool {
    guard let last = lastStatus, last.processId == event.processId else { return true }
    return last.identityVerificationPhase != event.identityVerificationPhase
      || last.identityVerificationStatus != event.identityVerificationStatus
      || event.identityVerificationPhase == .documentUpload
  }

  private var randomness: ClientRandomness { networking.powerAuth.platform?.randomness ?? .live }

  /// Waits as the instance waits.
  func pause(for duration: Duration) async throws(CancellationError) {
    try await (networking.powerAuth.platform?.clock ?? .live).pause(for: duration)
  }

  // MARK: Status

  func status() async throws(WPNError) -> WDOVerificationState {
    do throws(WPNError) {
      return try await state(of: try await askedStatus(), asksAgain: true)
    } catch {
      last.withLock { $0 = nil }
      throw error
    }
  }

  private func askedStatus() async throws(WPNError) -> Wultra.IdentityState {
    let status: Wultra.IdentityState = try await server.call(.identityStatus, EmptyObject())
    last.withLock { $0 = status }
    return status
  }

  private func state(
    of status: Wultra.IdentityState, asksAgain: Bool
  ) async throws(WPNError) -> WDOVerificationState {
    if VerificationMapping.endsSelection(status.identityVerificationStatus) { try selected.forget() }
    switch VerificationMapping.meaning(status.identityVerificationPhase, status.identityVerificationStatus) {
    case .show(.otp): return .otp(status.remainingAttempts)
    case .show(let state): return state
    case .askForDocuments:
      let documents: Wultra.DocumentStates = try await server.call(
        .documentStatus, Wultra.DocumentStatusRequest(processId: status.processId),
        timeout: WultraServer.documentStatusTimeout)
      let selection = try selected.read().flatMap { SelectedDocuments(text: $0) }
      guard let state = VerificationMapping.state(selected: selection, documents.documents) else { throw unknown }
      guard case .scanDocument(let process) = state, process.nextDocumentToScan == nil, asksAgain else { return state }
      // Nothing is left to scan: the server may have gone on between its two answers.
      return try await self.state(of: try await askedStatus(), asksAgain: false)
    case nil: throw unknown
    }
  }

  private var unknown: WPNError {
    WPNError(reason: .unknown, error: WDOError("The server said something that this version does not know."))
  }

  private func process() throws(WPNError) -> String {
    guard let status = lastStatus else { throw WPNError(reason: .wdo_verification_missingStatus) }
    return status.processId
  }

  private func reference() throws(WPNError) -> Wultra.ProcessReference {
    Wultra.ProcessReference(processId: try process())
  }

  // MARK: Consent

  func consent() async throws(WPNError) -> WDOVerificationState {
    let text: Wultra.ConsentText = try await server.call(
      .consentText, Wultra.ConsentRequest(processId: try process(), consentType: .gdpr))
    return .consent(text.consentText)
  }

  func approveConsent() async throws(WPNError) -> WDOVerificationState {
    let process = try reference()
    try await server.tell(
      .approveConsent,
      Wultra.ConsentApproval(processId: process.processId, approved: true, consentType: .gdpr))
    try await server.tell(.initiate, process)
    return .documentsToScanSelect
  }

  // MARK: Documents

  /// The first text that the server gives, by the order of their names.
  func initDocumentSDK(_ challenge: String) async throws(WPNError) -> String {
    let answer: Wultra.SDKInitResponse<[String: JSONValue]> = try await server.call(
      .initDocumentSDK,
      Wultra.SDKInitRequest(processId: try process(), attributes: ["sdk-init-token": challenge]))
    let texts = answer.attributes.sorted { $0.key < $1.key }.compactMap(\.value.stringValue)
    guard let text = texts.first else {
      throw WPNError(reason: .network_invalidResponseObject, error: WDOError("The server gave no text."))
    }
    return text
  }

  /// Keeps the choice, unless the server says what it needs and this is less. A server that does not say, or cannot be
  /// reached, is told of the choice by the pictures alone.
  func select(_ types: [WDODocumentType]) async throws(WPNError) -> WDOVerificationState {
    let selection = SelectedDocuments(types)
    if let requirements = try? await documentRequirements(), !requirements.areMet(by: selection.types) {
      throw WPNError(
        reason: .wdo_verification_tooFewDocuments,
        error: WDOError("The server needs \(requirements.distinctCount) different documents, a primary one among them.")
      )
    }
    try selected.write(selection.text)
    return .scanDocument(WDOVerificationScanProcess(selection.types))
  }

  func submit(
    _ pictures: [DocumentPicture], progress: @escaping @Sendable (Double) -> Void
  ) async throws(WPNError) -> WDOVerificationState {
    let submission = try DocumentArchive.submission(
      of: pictures, process: try process(), folder: randomness.uuid())
    try await server.tell(.submitDocuments, submission, timeout: WultraServer.submitTimeout, progress: progress)
    return .processing(.documentUpload)
  }

  /// - Returns: nil when the server does not say.
  func documentRequirements() async throws(WPNError) -> WDODocumentRequirements? {
    do throws(WPNError) {
      let configuration: Wultra.Configuration = try await server.call(.configuration, EmptyObject())
      return configuration.documents.map(WDODocumentRequirements.init)
    } catch {
      // Servers that do not have the call.
      if error.httpStatusCode == 404 { return nil }
      throw error
    }
  }

  // MARK: Presence

  /// JSON for the library of the check: an object.
  func initPresenceCheck() async throws(WPNError) -> Data {
    let session: Wultra.PresenceSession<[String: JSONValue]> = try await server.call(
      .initPresenceCheck, try reference())
    do { return try JSONEncoder().encode(session.sessionAttributes) } catch {
      throw WPNError(reason: .network_invalidResponseObject, error: error)
    }
  }

  func submitPresenceCheck() async throws(WPNError) -> WDOVerificationState {
    try await server.tell(.submitPresenceCheck, try reference())
    return .processing(.verifyingPresence)
  }

  // MARK: Code

  func verify(_ otp: String) async throws(WPNError) -> WDOVerificationState {
    let verdict: Wultra.OTPVerdict = try await server.call(
      .verifyOTP, Wultra.OTPVerifyRequest(processId: try process(), otpCode: otp))
    if verdict.verified { return .processing(.other) }
    guard verdict.remainingAttempts > 0, !verdict.expired else {
      throw WPNError(reason: .wdo_verification_otpFailed)
    }
    return .otp(verdict.remainingAttempts)
  }

  func resendOTP() async throws(WPNError) { try await server.tell(.resendOTP, try reference()) }

  #if ENABLE_ONBOARDING_DEMO
    func sentOTP() async throws(WPNError) -> String {
      let detail: Wultra.OTPDetail = try await server.call(
        .otpDetail, Wultra.OTPDetailRequest(processId: try process(), otpType: .userVerification))
      return detail.otpCode
    }
  #endif

  // MARK: Ends

  func restart() async throws(WPNError) -> WDOVerificationState {
    try await server.tell(.cleanUpIdentity, try reference())
    return .intro
  }

  func cancelWholeProcess() async throws(WPNError) { try await server.tell(.cleanUpProcess, try reference()) }
}
