// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import WultraWire
import PowerAuth2
import PowerAuthCore
import PowerAuthPeer
import Synchronization
import Testing
import WultraPowerAuthNetworking

@testable import WultraDigitalOnboarding

@Suite("Onboarding app: delegate and completions", .timeLimit(.minutes(5)))
struct DelegateTests {
  @MainActor
  private final class Screen: WDOVerificationServiceDelegate {
    private(set) var told: [String] = []
    nonisolated init() {}

    func add(_ line: String) { told.append(line) }

    func powerAuthActivationStatusChanged(_ sender: WDOVerificationService, status: PowerAuthActivationStatus) {
      told.append("activation \(status.state)")
    }

    func verificationStatusChanged(_ sender: WDOVerificationService, status: WDOVerificationState) {
      told.append("delegate \(status)")
    }
  }

  private let server = OnboardingPeer()

  @Test("the delegate is told before the completion, both on the main queue, for states and for failures with one")
  func order() async throws {
    let service = WDOVerificationService(networking: server.networking(try await server.phone.activated()))
    let screen = Screen()
    service.delegate = screen
    await withCheckedContinuation { done in
      service.status { result in
        dispatchPrecondition(condition: .onQueue(.main))
        screen.add("completion \((try? result.get())?.description ?? "-")")
        done.resume()
      }
    }
    server.refuse(.consentText, "ONBOARDING_FAILED")
    await withCheckedContinuation { done in
      service.consentGet { result in
        if case .failure(let failure) = result { screen.add("failure \(failure.state?.description ?? "-")") }
        done.resume()
      }
    }
    await withCheckedContinuation { done in
      service.resendOTP { _ in
        screen.add("resent")
        done.resume()
      }
    }
    #expect(
      await screen.told == [
        "delegate WDOVerificationState.intro", "completion WDOVerificationState.intro",
        "delegate WDOVerificationState.endstate", "failure WDOVerificationState.endstate", "resent",
      ])
  }

  @Test("the delegate is not kept alive")
  func weak() async throws {
    let service = WDOVerificationService(networking: server.networking(try await server.phone.activated()))
    do {
      let screen = Screen()
      service.delegate = screen
      #expect(service.delegate === screen)
    }
    #expect(service.delegate == nil)
  }

  @Test(
    "a call that fails because the activation is blocked or removed reports that, and nests the error",
    arguments: [ActivationState.blocked, .removed])
  func inactive(state: ActivationState) async throws {
    let sdk = try await server.phone.activated()
    let service = WDOVerificationService(networking: server.networking(sdk))
    _ = try await service.status()
    let screen = Screen()
    service.delegate = screen
    server.phone.peer.change(sdk.activationIdentifier) { $0.state = state }
    let failure = await fail { () async throws(WDOVerificationService.Fail) in _ = try await service.status() }
    #expect(failure?.cause.reason == .wdo_verification_activationNotActive && failure?.state == nil)
    #expect((failure?.cause.nestedError as? WPNError)?.httpStatusCode == 401)
    #expect(await screen.told == ["activation \(state == .blocked ? "blocked" : "removed")"])
  }

  @Test("a failure with an active activation is what it is; without a network the activation is not asked for")
  func active() async throws {
    let sdk = try await server.phone.activated()
    let service = WDOVerificationService(networking: server.networking(sdk))
    _ = try await service.status()
    let asked = server.phone.peer.count(of: .activationStatus)
    server.refuse(.identityStatus, "INVALID_REQUEST")
    let failure = await fail { () async throws(WDOVerificationService.Fail) in _ = try await service.status() }
    #expect(failure?.cause.restApiError?.errorCode == .invalidRequest)
    #expect(server.phone.peer.count(of: .activationStatus) == asked + 1)

    let offline = WDOVerificationService(
      networking: WPNNetworkingService(
        powerAuth: sdk, config: WPNConfig(baseUrl: "https://bank.example/onboarding"), serviceName: "s",
        transport: HTTPTransport { (_, _) async throws(TransportError) in throw TransportError(.offline) }))
    let lost = await fail { () async throws(WDOVerificationService.Fail) in _ = try await offline.status() }
    #expect(lost?.cause.networkIsNotReachable == true && lost?.cause.reason == .network_noInternetConnection)
    #expect(server.phone.peer.count(of: .activationStatus) == asked + 1)
  }

  @Test("every published call completes once, on the main queue, in the order in which it was made")
  func all() async throws {
    let service = WDOVerificationService(networking: server.networking(try await server.phone.activated()))
    let (stream, told) = AsyncStream<String>.makeStream()
    @Sendable func tell<Value>(_ name: String)
      -> @MainActor @Sendable (Result<Value, WDOVerificationService.Fail>) -> Void
    {
      { result in
        dispatchPrecondition(condition: .onQueue(.main))
        told.yield("\(name) \((try? result.get()) != nil)")
      }
    }
    let picture = WDODocumentFile(data: Data([1]), type: .passport, side: .front, originalDocumentId: nil)
    service.status(completion: tell("status"))
    service.consentGet(completion: tell("consentGet"))
    service.consentApprove(completion: tell("consentApprove"))
    service.documentsInitSDK(challenge: "c", completion: tell("initSDK"))
    service.documentsSetSelectedTypes(types: [.passport], completion: tell("select"))
    service.documentsSubmit(files: [picture], progressCallback: { _ in }, completion: tell("files"))
    service.documentsSubmit(types: [picture], progressCallback: { _ in }, completion: tell("types"))
    service.documentRequirements(completion: tell("requirements"))
    service.presenceCheckInit { told.yield("presenceInit \((try? $0.get())?["token"] as? String ?? "")") }
    service.presenceCheckSubmit(completion: tell("presenceSubmit"))
    service.verifyOTP(otp: "1", completion: tell("verifyOTP"))
    service.resendOTP(completion: tell("resendOTP"))
    service.getOTP(completion: tell("getOTP"))
    service.restartVerification(completion: tell("restart"))
    service.cancelWholeProcess { result in
      tell("cancel")(result)
      told.finish()
    }
    var lines: [String] = []
    for await line in stream { lines.append(line) }
    #expect(
      lines == [
        "status true", "consentGet true", "consentApprove true", "initSDK true", "select true", "files true",
        "types true", "requirements true", "presenceInit t", "presenceSubmit true", "verifyOTP true",
        "resendOTP true", "getOTP true", "restart true", "cancel true",
      ])
  }
}
