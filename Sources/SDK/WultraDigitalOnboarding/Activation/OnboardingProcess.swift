// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import PowerAuth2
internal import PowerAuthCore
internal import WultraPowerAuthNetworking
internal import WultraWire

/// The process of a user who has no activation yet, known by its id, which is kept on the device
/// (wultra-onboarding.md §7.2).
struct OnboardingProcess: Sendable {
  let networking: WPNNetworkingService
  private let server: WultraServer
  private let stored: StoredText

  init(networking: WPNNetworkingService) {
    self.networking = networking
    server = WultraServer(networking: networking)
    stored = StoredText("wdopid_\(networking.powerAuth.configuration.instanceId)", of: networking.powerAuth)
  }

  var isRunning: Bool { ((try? stored.read()) ?? nil) != nil }

  /// When the store fails to delete the id, it cannot be read either; the next write replaces the id.
  func forget() { try? stored.forget() }

  /// The credentials as JSON, at once: they may be any object of the app's.
  static func identification(_ credentials: some Encodable) -> Result<JSONValue, WPNError> {
    do {
      let encoder = JSONEncoder()
      encoder.dateEncodingStrategy = .iso8601
      let value = try JSONDecoder().decode(JSONValue.self, from: encoder.encode(credentials))
      guard case .object = value else {
        return .failure(
          WPNError(reason: .network_invalidRequestObject, error: WDOError("The credentials are no JSON object.")))
      }
      return .success(value)
    } catch {
      return .failure(WPNError(reason: .network_invalidRequestObject, error: error))
    }
  }

  func start(_ identification: JSONValue) async throws(WPNError) {
    try requireStartable()
    guard try stored.read() == nil else { throw WPNError(reason: .wdo_activation_inProgress) }
    let state: Wultra.ProcessState = try await server.call(
      .start, Wultra.StartRequest(identification: identification))
    try stored.write(state.processId)
  }

  func status() async throws(WPNError) -> WDOActivationService.Status {
    let state: Wultra.ProcessState = try await server.call(.processStatus, try running())
    guard let status = WDOActivationService.Status(state.onboardingStatus) else {
      throw WPNError(reason: .unknown, error: WDOError("The server knows a status that this version does not know."))
    }
    return status
  }

  /// The id is forgotten unless the same process may be tried again.
  func activate(otp: String, name: String) async throws(WPNError) -> PowerAuthActivationResult {
    let data = OnboardingActivationData(processId: try running().processId, otp: otp)
    do {
      let activation = try PowerAuthActivation(identityAttributes: data.asAttributes(), name: name)
      let result = try await networking.powerAuth.createActivation(activation)
      forget()
      return result
    } catch {
      let failure = WPNError.powerAuth(error)
      if !failure.allowOnboardingOtpRetry && !failure.networkIsNotReachable { forget() }
      throw failure
    }
  }

  func resendOTP() async throws(WPNError) { try await server.tell(.resendActivationOTP, try running()) }

  func cancel(force: Bool) async throws(WPNError) {
    let process = try running()
    do throws(WPNError) { try await server.tell(.cleanUpProcess, process) } catch {
      guard force else { throw error }
    }
    forget()
  }

  #if ENABLE_ONBOARDING_DEMO
    func sentOTP() async throws(WPNError) -> String {
      let detail: Wultra.OTPDetail = try await server.call(
        .otpDetail, Wultra.OTPDetailRequest(processId: try running().processId, otpType: .activation))
      return detail.otpCode
    }
  #endif

  private func running() throws(WPNError) -> Wultra.ProcessReference {
    try requireStartable()
    guard let id = try stored.read() else { throw WPNError(reason: .wdo_activation_notRunning) }
    return Wultra.ProcessReference(processId: id)
  }

  /// A user who has an activation needs no process that makes one.
  private func requireStartable() throws(WPNError) {
    guard networking.powerAuth.canStartActivation() else {
      forget()
      throw WPNError(reason: .wdo_activation_cannotActivate)
    }
  }
}
