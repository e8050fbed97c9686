// SPDX-License-Identifier: Apache-2.0

import Demonstration
import Foundation
import GatehouseTransport
import GatehouseWire
import Kit
import RubixOnboarding
import RubixWire

/// One application from registration to customer, by the Rubix SDK.
struct RubixJourney: ChaosCustomer {
  /// Steps that a later one takes back: what did not match is taken again, a refusal is followed by another call.
  static let passing: Set<OnboardingStep> = [.documentsMismatched, .amlScreeningFailed, .agentVerificationFailed]

  /// Everybody, and everything that they need.
  struct Scene: ChaosScene {
    let address: URL
    let outside: ChaosOutside
    let bank: ChaosBank
    let pictures: PassportPictures?
    let randomness: ChaosRandomness

    func customer(_ serial: Int, hasPictures: Bool) -> any ChaosCustomer {
      RubixJourney(serial, hasPictures: hasPictures, self)
    }
  }

  let serial: Int
  let contactNo: String
  let email: String
  let hasPictures: Bool
  /// Steps that an answer said were reached.
  private(set) var told: Set<OnboardingStep> = []
  private(set) var id: String?
  private(set) var isFinished = false
  /// The server does not take the customer's tokens any more.
  private(set) var isLost = false
  private(set) var troubles: [String: Int] = [:]
  private(set) var calls = 0
  private var tried: Set<String> = []
  private let app: RubixOnboarding
  private let scene: Scene

  init(_ serial: Int, hasPictures: Bool, _ scene: Scene) {
    self.serial = serial
    self.hasPictures = hasPictures
    self.scene = scene
    contactNo = "+9655\(1_000_000 + serial)"
    email = "chaos\(serial)@example.com"
    app = RubixOnboarding(
      baseURL: scene.address, tokenStore: SecureTokenStore(MemorySecureStore()),
      policy: OnboardingPolicy(pollsMax: 60, pollDelay: .milliseconds(500), pollDelayMax: .seconds(1)))
  }

  var stepsTold: Int { told.count }

  mutating func play(until end: ContinuousClock.Instant) async {
    while !isFinished, !isLost, ContinuousClock.now < end, !Task.isCancelled {
      do { try await advance() } catch let error as RubixError {
        note(error)
        if case .sessionLost = error, id != nil { isLost = true }
      } catch { troubles["\(type(of: error))", default: 0] += 1 }
      if !isFinished { try? await ClientClock.live.pause(for: .milliseconds(scene.randomness.number(below: 300))) }
    }
  }

  func faults() async -> [String] {
    guard !isLost else { return ["journey \(serial): the session was lost"] }
    guard id != nil else { return ["journey \(serial): was never registered"] }
    do {
      let view = try await app.me()
      var faults: [String] = []
      let missing = told.subtracting(view.completedSteps).subtracting(Self.passing)
      if !missing.isEmpty {
        faults.append("journey \(serial): told of \(missing.map(\.rawValue).sorted()), which are not there")
      }
      if !isFinished || view.status != .completed {
        faults.append("journey \(serial): is stuck at \(view.lastStep.rawValue), \(view.status.rawValue)")
      }
      if view.status == .completed {
        let endings = try await scene.outside.messages(to: email).filter { $0.text.contains("is complete") }
        if endings.count != 1 {
          faults.append("journey \(serial): was told \(endings.count) times that it is complete")
        }
      }
      return faults
    } catch { return ["journey \(serial): the server says nothing of it: \(type(of: error))"] }
  }

  private mutating func advance() async throws {
    guard id != nil else { return try await register() }
    let view = try await app.me()
    told.formUnion(view.completedSteps)
    calls += 1
    switch Resumption(view) {
    case .startFresh: try await register()
    case .continue(let next): try await take(next.screen, view)
    case .waiting:
      if let appointment = view.appointment { try await scene.bank.accept(view.id, appointment.id) }
    case .finished(let status):
      isFinished = true
      if status != .completed { troubles["ended \(status.rawValue)", default: 0] += 1 }
    }
  }

  private mutating func register() async throws {
    let now = WireInstant(millisecondsSince1970: World.live.now().milliseconds)
    let view = try await app.register(
      RegisterRequest(
        deviceID: "chaos-device-\(1_000_000 + serial)", platform: .ios, contactNo: contactNo, email: email,
        locale: "en", consents: ConsentCode.known.map { .init(code: $0, version: "2026-01", acceptedAt: now) }))
    id = view.id
    told.formUnion(view.completedSteps)
    calls += 1
  }

  private mutating func take(_ screen: OnboardingScreen, _ view: OnboardingView) async throws {
    let today = WireDate(daysSince1970: Int(World.live.now().seconds / 86_400))
    switch screen {
    case .session: _ = try await app.createSession()
    case .selfie where !hasPictures: return try await scene.bank.match(view.id)
    case .selfie, .liveness, .uploadDocument, .processDocument, .verifyDocuments:
      try await scene.pictures?.take(screen, view, app)
    case .sendOTP(let channel):
      _ = try await app.sendOTP(channel)
      told.insert(channel == .sms ? .smsOTPSent : .emailOTPSent)
    case .verifyOTP(let channel): try await confirm(channel)
    case .screening: if try await app.screenAML().status == .clean { told.insert(.amlScreeningSuccessful) }
    case .crs, .fatca, .kyc:
      guard let forms = ComplianceForms(view.customer, today: today) else { return }
      switch screen {
      case .crs: _ = try await app.submitCRS(forms.crs)
      case .fatca: _ = try await app.submitFATCA(forms.fatca)
      default: _ = try await app.submitKYC(forms.kyc)
      }
      told.insert(screen == .crs ? .crsSubmitted : screen == .fatca ? .fatcaSubmitted : .kycSubmitted)
    case .appointment:
      let day = WireDate(daysSince1970: today.daysSince1970 + 1 + scene.randomness.number(below: 12))
      let slots = try await app.slots(from: day, to: day).slots
      guard !slots.isEmpty else { return }
      _ = try await app.book(AppointmentRequest(callTime: slots[scene.randomness.number(below: slots.count)].start))
      told.insert(.agentVerificationScheduled)
    case .agentVerification, .updateRequired: return
    }
    calls += 1
  }

  /// Types the newest code that was not tried yet. Nothing new: the next turn looks again.
  private mutating func confirm(_ channel: OTPChannel) async throws {
    let messages = try await scene.outside.messages(to: channel == .sms ? contactNo : email)
    guard let message = messages.last(where: { $0.text.contains("confirm") || channel == .email }),
      !tried.contains(message.key), let code = message.text.firstMatch(of: #/\b[0-9]{6}\b/#)
    else { return }
    do throws(RubixError) {
      _ = try await app.verifyOTP(channel, code: String(code.output))
      told.insert(channel == .sms ? .smsOTPVerified : .emailOTPVerified)
      tried.insert(message.key)
    } catch {
      if case .problem(let problem) = error, problem.code == .otpMismatch { tried.insert(message.key) }
      throw error
    }
  }

  private mutating func note(_ error: RubixError) {
    let name =
      switch error {
      case .problem(let problem): "\(problem.status) \(problem.code.rawValue)"
      case .transport(let error): error.code.rawValue
      case .sessionLost: "session lost"
      case .decoding: "decoding"
      case .tokenStore: "token store"
      }
    troubles[name, default: 0] += 1
  }
}
