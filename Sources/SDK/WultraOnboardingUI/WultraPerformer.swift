// SPDX-License-Identifier: Apache-2.0

internal import Foundation
public import GatehouseTransport
internal import GatehouseWire
public import GatehouseUI
public import WultraDigitalOnboarding

/// What the screens need of the device beside the SDK's own ports.
public struct WultraPorts: Sendable {
  /// Has the library of the presence check show itself, with what the server gave for it.
  /// - Returns: whether the check was made; false when the user left it.
  public var checkPresence: @Sendable (_ attributes: sending [String: Any]) async -> Bool

  /// Creates the value from its member.
  public init(checkPresence: @escaping @Sendable (_ attributes: sending [String: Any]) async -> Bool) {
    self.checkPresence = checkPresence
  }
}

/// Carries out what the screens want done: each effect is a call of the SDK, each answer an event.
public actor WultraPerformer {
  /// Hands an event to the driver.
  public typealias Send = ScreenDriver<WultraScreens>.Send

  private let powerAuth: PowerAuthSDK
  private let activation: WDOActivationService
  private let verification: WDOVerificationService
  private let ports: WultraPorts
  private let clock: ClientClock

  /// - Parameters:
  ///   - powerAuth: as the app configured it.
  ///   - config: where the onboarding server is.
  public init(_ powerAuth: PowerAuthSDK, config: WPNConfig, ports: WultraPorts, clock: ClientClock = .live) {
    (self.powerAuth, self.ports, self.clock) = (powerAuth, ports, clock)
    activation = WDOActivationService(powerAuth: powerAuth, config: config)
    verification = WDOVerificationService(powerAuth: powerAuth, config: config)
  }

  /// Carries one effect out.
  public func perform(_ effect: WultraEffect, _ send: @escaping Send) async {
    switch effect {
    case .look: await look(send)
    case .follow: await follow(send)
    case .endFollow: break
    case .start, .activate, .resendActivation, .persist: await activate(effect, send)
    case .cancel: await cancel(send)
    default: await verify(effect, send)
    }
  }

  private func look(_ send: Send) async {
    if powerAuth.hasValidActivation() {
      await send(.verifies)
    } else if activation.hasActiveProcess {
      await send(.codeSent(resendAt: nil))
    } else {
      await send(.stranger)
    }
  }

  private func follow(_ send: Send) async {
    do throws(WDOVerificationService.Fail) {
      var states = verification.states().makeAsyncIterator()
      while let state = try await states.next(isolation: self) { await send(.stands(state)) }
    } catch { await refuse(error, send) }
  }

  private func activate(_ effect: WultraEffect, _ send: Send) async {
    do throws(WPNError) {
      switch effect {
      case .start(let credentials):
        try await activation.start(credentials: credentials)
        await send(.codeSent(resendAt: nil))
      case .activate(let code):
        _ = try await activation.activate(otp: code.digits)
        await send(.activated)
      case .resendActivation:
        try await activation.resendOTP()
        await send(.codeSent(resendAt: nil))
      case .persist(let pin):
        do { try powerAuth.persistActivation(withPassword: pin.digits) } catch { return await send(.refused(.other)) }
        await send(.verifies)
      default: return
      }
    } catch {
      if error.networkIsNotReachable {
        await send(.refused(.offline))
      } else if case .activate = effect {
        let left = error.onboardingOtpRemainingAttempts
        // An answer without a count, such as one of a server that failed, tells nothing about the code.
        await send(.refused(left == 0 ? .codeOver : error.allowOnboardingOtpRetry ? .wrongCode(left) : .other))
      } else {
        await send(.refused(.other))
      }
    }
  }

  private func verify(_ effect: WultraEffect, _ send: Send) async {
    do throws(WDOVerificationService.Fail) {
      switch effect {
      case .getConsent: await send(.stands(try await verification.consentGet().state))
      case .approve: await send(.stands(try await verification.consentApprove().state))
      case .loadRequirements: await send(.requirements(try await verification.documentRequirements()))
      case .select(let types):
        await send(.stands(try await verification.documentsSetSelectedTypes(types: types).state))
      case .submit(let pictures):
        let files = pictures.map {
          WDODocumentFile(data: $0.data, type: $0.type, side: $0.side, originalDocumentId: $0.replaces)
        }
        await send(.stands(try await verification.documentsSubmit(files: files).state))
      case .checkPresence:
        let attributes = try await verification.presenceCheckInit()
        guard await ports.checkPresence(attributes) else { return await send(.refused(.other)) }
        await send(.stands(try await verification.presenceCheckSubmit().state))
      case .verify(let code): await send(.stands(try await verification.verifyOTP(otp: code.digits).state))
      case .resend:
        try await verification.resendOTP()
        await send(.codeSent(resendAt: resendAt))
      case .restart: await send(.stands(try await verification.restartVerification().state))
      default: return
      }
    } catch {
      // Without the needs any choice is offered, and the server judges.
      if case .loadRequirements = effect { return await send(.requirements(nil)) }
      await refuse(error, send)
    }
  }

  private func cancel(_ send: Send) async {
    do throws(WDOVerificationService.Fail) {
      try await verification.cancelWholeProcess()
      powerAuth.removeActivationLocal()
      await send(.stranger)
    } catch { await refuse(error, send) }
  }

  private var resendAt: WireInstant? {
    verification.otpResendPeriodInSeconds.map {
      WireInstant(millisecondsSince1970: Int64(clock.wallTime() * 1000) + Int64($0) * 1000)
    }
  }

  /// A refusal that says what to show shows it; too few documents, and a network that is away, are told as well.
  private func refuse(_ fail: WDOVerificationService.Fail, _ send: Send) async {
    switch fail.cause.reason {
    case .wdo_verification_tooFewDocuments: await send(.refused(.tooFewDocuments))
    case .wdo_verification_activationNotActive: await send(.refused(.notActive))
    default:
      if let state = fail.state {
        await send(.stands(state))
      } else {
        await send(.refused(fail.cause.networkIsNotReachable ? .offline : .other))
      }
    }
  }
}
