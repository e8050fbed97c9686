// SPDX-License-Identifier: Apache-2.0

internal import Foundation
public import GatehouseUI
public import RubixOnboarding

/// Carries out what the screens want done: each effect is a call of the SDK, after which the server is asked where the
/// application stands.
public actor RubixPerformer {
  /// Hands an event to the driver.
  public typealias Send = ScreenDriver<RubixScreens>.Send

  private let onboarding: RubixOnboarding
  private let device: RubixDevice
  private let language: ScreenLanguage
  private let ports: RubixPorts
  private let clock: ClientClock
  private var consents: [ConsentGrant] = []

  /// - Parameter language: of messages to the customer.
  public init(
    _ onboarding: RubixOnboarding, device: RubixDevice, language: ScreenLanguage, ports: RubixPorts,
    clock: ClientClock = .live
  ) {
    (self.onboarding, self.device, self.language) = (onboarding, device, language)
    (self.ports, self.clock) = (ports, clock)
  }

  private var now: WireInstant { WireInstant(millisecondsSince1970: Int64(clock.wallTime() * 1000)) }
  private var today: WireDate { WireDate(daysSince1970: Int(now.millisecondsSince1970 / 86_400_000)) }

  /// Carries one effect out.
  public func perform(_ effect: RubixEffect, _ send: @escaping Send) async {
    switch effect {
    case .noteConsents(let documents):
      let now = now
      consents = documents.map { ConsentGrant(code: $0.code, version: $0.version, acceptedAt: now) }
    case .open(let address): await ports.open(address)
    case .watch: await watch(send)
    case .endWatch: break
    default:
      do throws(RubixError) { try await call(effect, send) } catch { await send(.refused(error)) }
    }
  }

  private func call(_ effect: RubixEffect, _ send: Send) async throws(RubixError) {
    switch effect {
    case .register(let details):
      return await send(.stands(try await onboarding.register(request(details))))
    case .loadChallenge: return await send(.challenge(try await challenge()))
    case .loadForm(let form):
      let template = try await onboarding.template(form)
      return await send(.template(form, template, await countries(), today: today))
    case .loadSlots:
      // From the server's day on: the device's clock may be wrong, and that of a sandbox may be ahead.
      return await send(.slots(try await onboarding.slots().slots))
    case .createSession: _ = try await onboarding.createSession()
    case .sendSelfie(let data, let subType): _ = try await onboarding.uploadSelfie(data, subType: subType)
    case .sendLiveness(let data, let challenge):
      _ = try await onboarding.uploadLiveness(
        data, mediaType: Self.mediaType(data), challengeID: challenge?.challengeID)
    case .sendDocument(let data, let kind): _ = try await onboarding.upload(kind, file: data)
    case .read(let kind): _ = try await onboarding.process(kind)
    case .compare:
      if try await onboarding.verifyDocuments().status == .mismatch { await send(.mismatched) }
    case .sendCode(let channel): await send(.sent(try await onboarding.sendOTP(channel), channel, at: now))
    case .checkCode(let channel, let code): _ = try await onboarding.verifyOTP(channel, code: code.digits)
    case .screen: _ = try await onboarding.screenAML()
    case .submit(.crs(let submission)): _ = try await onboarding.submitCRS(submission)
    case .submit(.fatca(let submission)): _ = try await onboarding.submitFATCA(submission)
    case .submit(.kyc(let submission)): _ = try await onboarding.submitKYC(submission)
    case .book(let time):
      _ = try await onboarding.book(AppointmentRequest(callTime: time, language: language.rawValue))
    case .resume:
      do throws(RubixError) { return await send(.stands(try await currentView())) } catch .sessionLost {
        return await send(.noApplication)
      }
    case .noteConsents, .watch, .endWatch, .open: return
    }
    await send(.stands(try await currentView()))
  }

  /// Where the application stands, with the address of the call while that can be joined.
  private func currentView() async throws(RubixError) -> OnboardingView {
    var view = try await onboarding.me()
    if case .waiting(.agentCall(_?)) = Resumption(view),
      let appointment = try await onboarding.currentAppointment(reason: .verification)
    {
      view.appointment = appointment
    }
    return view
  }

  /// Looks until the lane ends. Without a network it looks again later.
  private func watch(_ send: Send) async {
    for _ in 0..<ports.looksMax {
      do { try await clock.pause(for: ports.lookEvery) } catch { return }
      do throws(RubixError) { await send(.stands(try await currentView())) } catch {
        switch error {
        case .sessionLost, .decoding, .tokenStore: return await send(.refused(error))
        case .transport, .problem: continue
        }
      }
    }
  }

  /// - Returns: nil where the server sets no challenges.
  private func challenge() async throws(RubixError) -> LivenessChallenge? {
    do throws(RubixError) { return try await onboarding.livenessChallenge() } catch .problem(let problem)
      where problem.code == .notFound
    { return nil }
  }

  /// A form can be filled in without the list.
  private func countries() async -> [ReferenceCountry] {
    do throws(RubixError) { return try await onboarding.countries().countries } catch { return [] }
  }

  private func request(_ details: RegistrationDetails) -> RegisterRequest {
    RegisterRequest(
      deviceID: device.id, platform: device.platform, contactNo: details.phone, email: details.email,
      appVersion: device.appVersion, osVersion: device.osVersion, deviceModel: device.model,
      locale: language.rawValue, consents: consents)
  }

  /// By its first bytes: a PNG file begins with 0x89 (ISO/IEC 15948 §5.2).
  private static func mediaType(_ data: Data) -> String { data.first == 0x89 ? "image/png" : "image/jpeg" }
}
