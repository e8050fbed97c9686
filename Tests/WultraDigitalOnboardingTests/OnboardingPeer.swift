// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import WultraWire
import PowerAuth2
import PowerAuthCore
import PowerAuthPeer
import Synchronization
import WultraPowerAuthNetworking

@testable import WultraDigitalOnboarding

/// The onboarding server behind the peer: takes every call to the letter of the wire, and says what a test wants.
final class OnboardingPeer: Sendable {
  static let process = "0a1b2c3d-0000-4000-8000-00000000000f"

  struct State: Sendable {
    var phase: Wultra.VerificationPhase?
    var status = Wultra.VerificationStatus.notInitialized
    var documents: [Wultra.DocumentState] = []
    var onboardingStatus = Wultra.OnboardingStatus.activationInProgress
    var verdict = Wultra.OTPVerdict(
      processId: OnboardingPeer.process, onboardingStatus: .verificationInProgress, verified: true, expired: false,
      remainingAttempts: 5)
    var resendPeriod = "PT30S"
    var resendSeconds = 77
    /// How many codes may still be tried; nil is not said.
    var attemptsLeft: Int?
    /// Which documents are needed; nil is not said.
    var requirements: Wultra.DocumentRequirements?
    /// Instead of the answer: status and body.
    var overrides: [Wultra.Endpoint: [(status: Int, body: String)]] = [:]
    var received: [Received] = []
  }

  struct Received: Sendable {
    let endpoint: Wultra.Endpoint
    let object: JSONValue
    let headers: TransportHeaders
  }

  let phone: Phone
  let state = Mutex(State())

  init(_ phone: Phone = Phone()) {
    self.phone = phone
    phone.peer.state.withLock { state in
      state.application = { path, body, headers in self.answer(path, body, headers) }
    }
  }

  func set(_ edit: @Sendable (inout State) -> Void) { state.withLock { edit(&$0) } }

  func at(_ phase: Wultra.VerificationPhase?, _ status: Wultra.VerificationStatus) {
    set {
      $0.phase = phase
      $0.status = status
    }
  }

  /// The next call of the endpoint is refused.
  func refuse(_ endpoint: Wultra.Endpoint, _ code: String, status: Int = 400) {
    override(endpoint, #"{"status":"ERROR","responseObject":{"code":"\#(code)","message":"m"}}"#, status: status)
  }

  func override(_ endpoint: Wultra.Endpoint, _ body: String, status: Int = 200) {
    set { $0.overrides[endpoint, default: []].append((status, body)) }
  }

  /// Another fate of the next call.
  func next(_ endpoint: Wultra.Endpoint, _ fault: Peer.Fault) {
    phone.peer.next("/onboarding" + endpoint.rawValue, fault)
  }

  var received: [Received] { state.withLock { $0.received } }
  var endpoints: [Wultra.Endpoint] { received.map(\.endpoint) }

  /// A fresh start of the app on what is stored.
  func networking(_ sdk: PowerAuthSDK) -> WPNNetworkingService {
    WPNNetworkingService(
      powerAuth: sdk, config: WPNConfig(baseUrl: "https://bank.example/onboarding/"), serviceName: "test",
      transport: phone.peer.transport)
  }

  /// The app as it starts on a device that is activated.
  func verification() -> WDOVerificationService { WDOVerificationService(networking: networking(phone.start())) }

  private func answer(_ path: String, _ body: Data, _ headers: TransportHeaders) -> TransportResponse {
    guard path.hasPrefix("/onboarding"),
      let endpoint = Wultra.Endpoint(rawValue: String(path.dropFirst("/onboarding".count)))
    else { return TransportResponse(status: 404) }
    do {
      let request = try phone.peer.receive(body, headers, by: endpoint.rule)
      let object = try JSONDecoder().decode(RequestEnvelope<JSONValue>.self, from: request.plaintext).requestObject
      let override = state.withLock { state -> (status: Int, body: String)? in
        state.received.append(Received(endpoint: endpoint, object: object, headers: headers))
        guard state.overrides[endpoint]?.isEmpty == false else { return nil }
        return state.overrides[endpoint]?.removeFirst()
      }
      if let override {
        let plain = Data(override.body.utf8)
        return TransportResponse(
          status: override.status, body: override.status == 200 ? try phone.peer.reply(plain, to: request) : plain)
      }
      return TransportResponse(status: 200, body: try phone.peer.reply(try result(of: endpoint), to: request))
    } catch let refusal as Refusal {
      let envelope = ResponseEnvelope(refusal.failure, status: .error)
      return TransportResponse(status: refusal.status, body: (try? JSONEncoder().encode(envelope)) ?? Data())
    } catch {
      return TransportResponse(status: 500, body: Data("\(error)".utf8))
    }
  }

  private func result(of endpoint: Wultra.Endpoint) throws -> Data {
    let state = state.withLock { $0 }
    let config = Wultra.ProcessConfiguration(
      otpResendPeriod: state.resendPeriod, otpResendPeriodSeconds: state.resendSeconds)
    func wrap(_ value: some Encodable) throws -> Data { try JSONEncoder().encode(ResponseEnvelope(value)) }
    switch endpoint {
    case .start, .processStatus:
      return try wrap(
        Wultra.ProcessState(
          processId: Self.process, onboardingStatus: state.onboardingStatus, config: config))
    case .otpDetail: return try wrap(Wultra.OTPDetail(otpCode: "1234", processId: Self.process))
    case .identityStatus:
      return try wrap(
        Wultra.IdentityState(
          processId: Self.process, identityVerificationStatus: state.status,
          identityVerificationPhase: state.phase, config: config, remainingAttempts: state.attemptsLeft))
    case .consentText: return try wrap(Wultra.ConsentText(consentText: "<p>Yes?</p>"))
    case .initDocumentSDK:
      return try wrap(
        Wultra.SDKInitResponse<JSONValue>(
          attributes: .object(["number": .integer(1), "zen": .string("token")])))
    case .documentStatus:
      return try wrap(Wultra.DocumentStates(status: .inProgress, documents: state.documents))
    case .initPresenceCheck:
      return try wrap(
        Wultra.PresenceSession<JSONValue>(
          sessionAttributes: .object(["token": .string("t"), "deep": .object(["n": .integer(3)]), "no": .null])))
    case .verifyOTP: return try wrap(state.verdict)
    case .configuration:
      return try wrap(
        Wultra.Configuration(onboarding: Wultra.Switch(enabled: true), documents: state.requirements))
    default: return try JSONEncoder().encode(Wultra.DoneBody())
    }
  }
}

extension Wultra.Endpoint {
  var rule: ApplicationRule {
    switch security {
    case .open, .presenceSession: ApplicationRule(.none)
    case .encryptedForApplication: ApplicationRule(.none, .genericApplication)
    case .encryptedForActivation: ApplicationRule(.none, .genericActivation)
    case .signed(let encrypted): ApplicationRule(.signature(uriId: rawValue), encrypted ? .genericActivation : nil)
    case .token(let encrypted): ApplicationRule(.token, encrypted ? .genericActivation : nil)
    }
  }
}

extension JSONValue {
  subscript(path: [String]) -> JSONValue? { path.reduce(self) { $0?[$1] } }
}

/// The failure of a call; nil when it succeeds.
func fail<Value>(
  _ work: () async throws(WDOVerificationService.Fail) -> Value
) async -> WDOVerificationService.Fail? {
  do throws(WDOVerificationService.Fail) { _ = try await work() } catch { return error }
  return nil
}

/// The failure of a call; nil when it succeeds.
func error<Value>(_ work: () async throws(WPNError) -> Value) async -> WPNError? {
  do throws(WPNError) { _ = try await work() } catch { return error }
  return nil
}
