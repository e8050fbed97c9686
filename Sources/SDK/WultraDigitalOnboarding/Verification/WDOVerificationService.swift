// SPDX-License-Identifier: Apache-2.0

public import PowerAuth2
internal import Locks
public import WultraPowerAuthNetworking

/// The second half of onboarding: from an activated device to a verified user (wultra-onboarding.md §6, §7.3).
///
/// The server says what to show: ask for the `status`, show it, make the call that belongs to it, and so on. All calls
/// but `status`, `documentsSetSelectedTypes` and `documentRequirements` need a `status` before, of the same object.
/// Calls are made one after the other; completions come on the main queue, after the delegate was told.
public final class WDOVerificationService: Sendable {
  private struct WeakDelegate: Sendable {
    weak let delegate: (any WDOVerificationServiceDelegate)?
  }

  let calls: VerificationCalls
  let reports = StateReports()
  private let queue = SerialCalls()
  private let listener = Guarded(WeakDelegate(delegate: nil))

  /// - Parameters:
  ///   - powerAuth: activated.
  ///   - wpnConfig: where the onboarding server is, which may be another than PowerAuth's.
  public convenience init(powerAuth: PowerAuthSDK, wpnConfig: WPNConfig) {
    self.init(
      networking: WPNNetworkingService(
        powerAuth: powerAuth, config: wpnConfig, serviceName: "WDOVerificationNetworking"))
  }

  /// - Parameters:
  ///   - powerAuth: activated.
  ///   - config: where the onboarding server is, which may be another than PowerAuth's.
  public convenience init(powerAuth: PowerAuthSDK, config: WPNConfig) {
    self.init(powerAuth: powerAuth, wpnConfig: config)
  }

  public init(networking: WPNNetworkingService) { calls = VerificationCalls(networking: networking) }

  /// Who else is told. Not kept alive.
  public var delegate: (any WDOVerificationServiceDelegate)? {
    get { listener.withLock { $0.delegate } }
    set { listener.withLock { $0 = WeakDelegate(delegate: newValue) } }
  }

  /// In which languages the server shall answer and write to the user (RFC 9110 §12.5.4).
  public var acceptLanguage: String {
    get { calls.networking.acceptLanguage }
    set { calls.networking.acceptLanguage = newValue }
  }

  /// How long a user has to wait for another code; nil before the first `status`. Never negative, and a day at most,
  /// whatever the server says: apps calculate with it.
  public var otpResendPeriodInSeconds: Int? {
    guard let config = calls.lastStatus?.config else { return nil }
    let seconds = DurationText.seconds(config.otpResendPeriod) ?? config.otpResendPeriodSeconds
    return seconds.map { max(0, min($0, Self.otpResendSecondsMax)) }
  }

  private static let otpResendSecondsMax = 86_400

  // MARK: How a call is made

  typealias Work<Value> = @Sendable (VerificationCalls) async throws(WPNError) -> Value

  /// Lines up a call that reports.
  /// - Parameter state: what the result means for the screen; nil when it means nothing.
  func begin<Value: Sendable>(
    _ completion: @escaping @MainActor @Sendable (Result<Value, Fail>) -> Void,
    state: @escaping @Sendable (Value) -> WDOVerificationState? = { _ in nil }, _ work: @escaping Work<Value>
  ) {
    queue.add {
      let outcome = await self.outcome(of: work, state)
      await MainActor.run { completion(outcome) }
    }
  }

  /// Lines up a call and waits for it.
  func wait<Value: Sendable>(
    state: @escaping @Sendable (Value) -> WDOVerificationState? = { _ in nil }, _ work: @escaping Work<Value>
  ) async throws(Fail) -> Value {
    try await queue.wait { await self.outcome(of: work, state) }.get()
  }

  private func outcome<Value: Sendable>(
    of work: Work<Value>, _ state: @Sendable (Value) -> WDOVerificationState?
  ) async -> Result<Value, Fail> {
    let outcome: Result<Value, Fail>
    do throws(WPNError) { outcome = .success(try await work(calls)) } catch {
      outcome = .failure(Fail(await explained(error)))
    }
    let shown =
      switch outcome {
      case .success(let value): state(value)
      case .failure(let fail): fail.state
      }
    if let shown { await report(shown) }
    return outcome
  }

  private func report(_ state: WDOVerificationState) async {
    WDOLogger.log(.info, "\(state)")
    reports.add(state)
    await MainActor.run { delegate?.verificationStatusChanged(self, status: state) }
  }

  /// Whatever failed may have failed because the activation is not active any more. Without a network this is unknown,
  /// and a call that was not made says nothing.
  private func explained(_ error: WPNError) async -> WPNError {
    WDOLogger.log(.error, error.description)
    guard !error.networkIsNotReachable,
      ![.wdo_verification_missingStatus, .wdo_verification_tooFewDocuments, .canceled].contains(error.reason),
      let status = try? await calls.networking.powerAuth.fetchActivationStatus(), status.state != .active
    else { return error }
    await MainActor.run { delegate?.powerAuthActivationStatusChanged(self, status: status) }
    return WPNError(reason: .wdo_verification_activationNotActive, error: error)
  }
}
