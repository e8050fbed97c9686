// SPDX-License-Identifier: Apache-2.0

public import PowerAuth2
public import WultraPowerAuthNetworking

/// The first half of onboarding: from who the user claims to be to an activated device (wultra-onboarding.md §7.1,
/// §7.2). Calls are made one after the other; completions come on the main queue.
///
/// `start`, `activate` with the code that the user was sent, then `PowerAuthSDK.persistActivation`, then
/// `WDOVerificationService`.
public final class WDOActivationService: Sendable {
  private let process: OnboardingProcess
  private let queue = SerialCalls()

  /// - Parameters:
  ///   - powerAuth: to be activated.
  ///   - config: where the onboarding server is, which may be another than PowerAuth's.
  ///   - canRestoreSession: false forgets a process that an earlier object began.
  public convenience init(powerAuth: PowerAuthSDK, config: WPNConfig, canRestoreSession: Bool = true) {
    self.init(
      networking: WPNNetworkingService(powerAuth: powerAuth, config: config, serviceName: "WDOActivationNetworking"),
      canRestoreSession: canRestoreSession)
  }

  /// - Parameter canRestoreSession: false forgets a process that an earlier object began.
  public init(networking: WPNNetworkingService, canRestoreSession: Bool = true) {
    process = OnboardingProcess(networking: networking)
    if !canRestoreSession { process.forget() }
  }

  /// Whether a process was begun and has not ended, as far as this device knows.
  public var hasActiveProcess: Bool { process.isRunning }

  /// In which languages the server shall write to the user (RFC 9110 §12.5.4).
  public var acceptLanguage: String {
    get { process.networking.acceptLanguage }
    set { process.networking.acceptLanguage = newValue }
  }

  /// The name that an activation gets when the app gives none: the device's model.
  public static var defaultActivationName: String { PowerAuthDevice.current.model }

  /// Asks how far the process has come.
  @preconcurrency
  public func status(completion: @escaping @MainActor @Sendable (Result<Status, WPNError>) -> Void) {
    begin(completion) { process async throws(WPNError) in try await process.status() }
  }

  /// Asks how far the process has come.
  public func status() async throws(WPNError) -> Status {
    try await wait { process async throws(WPNError) in try await process.status() }
  }

  /// Begins a process. The server sends the user a code, if it knows the user; it does not say whether it does.
  /// - Parameter credentials: what the institution knows the user by; becomes a JSON object.
  @preconcurrency
  public func start<T: Codable>(
    credentials: T, completion: @escaping @MainActor @Sendable (Result<Void, WPNError>) -> Void
  ) {
    let identification = OnboardingProcess.identification(credentials)
    begin(completion) { process async throws(WPNError) in try await process.start(identification.get()) }
  }

  /// Begins a process.
  public func start<T: Codable>(credentials: T) async throws(WPNError) {
    let identification = OnboardingProcess.identification(credentials)
    try await wait { process async throws(WPNError) in try await process.start(identification.get()) }
  }

  /// Activates the device with the code that the user was sent. The activation has to be persisted then.
  ///
  /// After a failure see `WPNError.allowOnboardingOtpRetry` and `hasActiveProcess`.
  @preconcurrency
  public func activate(
    otp: String, activationName: String = WDOActivationService.defaultActivationName,
    completion: @escaping @MainActor @Sendable (Result<PowerAuthActivationResult, WPNError>) -> Void
  ) {
    begin(completion) { process async throws(WPNError) in try await process.activate(otp: otp, name: activationName) }
  }

  /// Activates the device with the code that the user was sent.
  public func activate(
    otp: String, activationName: String = WDOActivationService.defaultActivationName
  ) async throws(WPNError) -> PowerAuthActivationResult {
    try await wait { process async throws(WPNError) in try await process.activate(otp: otp, name: activationName) }
  }

  /// Has the code sent once more. The one before is good for nothing then.
  @preconcurrency
  public func resendOTP(completion: @escaping @MainActor @Sendable (Result<Void, WPNError>) -> Void) {
    begin(completion) { process async throws(WPNError) in try await process.resendOTP() }
  }

  /// Has the code sent once more.
  public func resendOTP() async throws(WPNError) {
    try await wait { process async throws(WPNError) in try await process.resendOTP() }
  }

  /// Ends the process.
  /// - Parameter forceCancel: forgets it here even if the server cannot be told, and succeeds.
  @preconcurrency
  public func cancel(
    forceCancel: Bool = true, completion: @escaping @MainActor @Sendable (Result<Void, WPNError>) -> Void
  ) {
    begin(completion) { process async throws(WPNError) in try await process.cancel(force: forceCancel) }
  }

  /// Ends the process.
  public func cancel(forceCancel: Bool = true) async throws(WPNError) {
    try await wait { process async throws(WPNError) in try await process.cancel(force: forceCancel) }
  }

  /// Forgets the process here; the server is not told.
  public func clear() { process.forget() }

  #if ENABLE_ONBOARDING_DEMO
    /// Asks for the code that the user was sent. Only servers for tests tell.
    @preconcurrency
    public func getOTP(completion: @escaping @MainActor @Sendable (Result<String, WPNError>) -> Void) {
      begin(completion) { process async throws(WPNError) in try await process.sentOTP() }
    }

    /// Asks for the code that the user was sent. Only servers for tests tell.
    public func getOTP() async throws(WPNError) -> String {
      try await wait { process async throws(WPNError) in try await process.sentOTP() }
    }
  #endif

  private typealias Work<Value> = @Sendable (OnboardingProcess) async throws(WPNError) -> Value

  private func begin<Value: Sendable>(
    _ completion: @escaping @MainActor @Sendable (Result<Value, WPNError>) -> Void, _ work: @escaping Work<Value>
  ) {
    let process = process
    queue.add {
      let outcome = await Self.outcome(of: work, process)
      await MainActor.run { completion(outcome) }
    }
  }

  private func wait<Value: Sendable>(_ work: @escaping Work<Value>) async throws(WPNError) -> Value {
    let process = process
    return try await queue.wait { await Self.outcome(of: work, process) }.get()
  }

  private static func outcome<Value: Sendable>(
    of work: Work<Value>, _ process: OnboardingProcess
  ) async -> Result<Value, WPNError> {
    do throws(WPNError) { return .success(try await work(process)) } catch { return .failure(error) }
  }
}
