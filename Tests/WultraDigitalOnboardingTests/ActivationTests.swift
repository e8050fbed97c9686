// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import WultraWire
import PowerAuth2
import PowerAuthCore
import PowerAuthPeer
import Testing
import WultraPowerAuthNetworking

@testable import WultraDigitalOnboarding

@Suite("Onboarding app: activation", .timeLimit(.minutes(5)))
struct ActivationTests {
  private struct Credentials: Codable {
    var clientNumber = "123/4"
    var birthDate = Date(timeIntervalSince1970: 0)
  }

  private let server = OnboardingPeer()

  private func service(_ sdk: PowerAuthSDK, restores: Bool = true) -> WDOActivationService {
    WDOActivationService(networking: server.networking(sdk), canRestoreSession: restores)
  }

  @Test("start, code and activation lead to an activation that can be persisted, and the process is forgotten")
  func happy() async throws {
    let sdk = server.phone.start()
    let service = service(sdk)
    service.acceptLanguage = "cs"
    #expect(!service.hasActiveProcess)
    try await service.start(credentials: Credentials())
    #expect(service.hasActiveProcess)
    #expect(try await service.status() == .activationInProgress)
    try await service.resendOTP()
    let code = try await service.getOTP()
    _ = try await service.activate(otp: code, activationName: "Phone of Jan")
    #expect(!service.hasActiveProcess && sdk.hasPendingActivation())
    try sdk.persistActivation(withPassword: Phone.pin)
    #expect(sdk.hasValidActivation())
    #expect(server.endpoints == [.start, .processStatus, .resendActivationOTP, .otpDetail])
    #expect(server.received[0].object[["identification", "clientNumber"]]?.stringValue == "123/4")
    #expect(server.received[0].object[["identification", "birthDate"]]?.stringValue == "1970-01-01T00:00:00Z")
    #expect(server.received[3].object["otpType"]?.stringValue == "ACTIVATION")
    #expect(server.received.allSatisfy { $0.headers["Accept-Language"] == "cs" })
    let order = try #require(server.phone.peer.state.withLock { $0.lastOrder })
    #expect(order.type == .custom && order.device.activationName == "Phone of Jan")
    #expect(
      order.identity == ["processId": OnboardingPeer.process, "otpCode": "1234", "credentialsType": "ONBOARDING"])
  }

  @Test("the process lives on when the app is killed after each step, under its published name")
  func killed() async throws {
    try await service(server.phone.start()).start(credentials: Credentials())
    let stored = try #require(server.phone.store as? MemorySecureStore)
    #expect(stored.contents["wdopid_default"] == Data(OnboardingPeer.process.utf8))
    #expect(try await service(server.phone.start()).status() == .activationInProgress)
    try await service(server.phone.start()).resendOTP()
    #expect(service(server.phone.start()).hasActiveProcess)
    _ = try await service(server.phone.start()).activate(otp: "1234")
    #expect(!service(server.phone.start()).hasActiveProcess)
  }

  @Test("a service that is not to restore forgets, and so does clear; the server is not told")
  func forgets() async throws {
    try await service(server.phone.start()).start(credentials: Credentials())
    #expect(!service(server.phone.start(), restores: false).hasActiveProcess)
    let again = service(server.phone.start())
    try await again.start(credentials: Credentials())
    again.clear()
    #expect(!again.hasActiveProcess && server.endpoints == [.start, .start])
  }

  @Test("without a process only start is possible, with one start is not")
  func order() async throws {
    let service = service(server.phone.start())
    #expect(
      await error { () async throws(WPNError) in _ = try await service.status() }?.reason == .wdo_activation_notRunning)
    #expect(
      await error { () async throws(WPNError) in try await service.resendOTP() }?.reason == .wdo_activation_notRunning)
    let activated = await error { () async throws(WPNError) in _ = try await service.activate(otp: "1234") }
    #expect(activated?.reason == .wdo_activation_notRunning)
    #expect(
      await error { () async throws(WPNError) in try await service.cancel() }?.reason == .wdo_activation_notRunning)
    #expect(
      await error { () async throws(WPNError) in _ = try await service.getOTP() }?.reason == .wdo_activation_notRunning)
    try await service.start(credentials: Credentials())
    let error = await error { () async throws(WPNError) in try await service.start(credentials: Credentials()) }
    #expect(error?.reason == .wdo_activation_inProgress)
    #expect(server.endpoints == [.start])
  }

  @Test("with an activation nothing is possible, and a process is forgotten")
  func activated() async throws {
    try await service(server.phone.start()).start(credentials: Credentials())
    let service = service(try await server.phone.activated())
    let error = await error { () async throws(WPNError) in _ = try await service.status() }
    #expect(error?.reason == .wdo_activation_cannotActivate && !service.hasActiveProcess)
  }

  @Test(
    "a wrong code tells how many tries are left; the last one forgets the process",
    arguments: [
      (#","remainingAttempts":4"#, 4), (#","remainingAttempts":1"#, 1), (#","remainingAttempts":0"#, 0), ("", nil),
    ] as [(String, Int?)])
  func wrongCode(member: String, left: Int?) async throws {
    let service = service(server.phone.start())
    try await service.start(credentials: Credentials())
    let body =
      #"{"status":"ERROR","responseObject":{"code":"ERR_ACTIVATION","message":"POWER_AUTH_ACTIVATION_INVALID"}\#(member)}"#
    server.phone.peer.next(.createActivation, .body(body, status: 400))
    let error = await error { () async throws(WPNError) in _ = try await service.activate(otp: "0000") }
    #expect(error?.onboardingOtpRemainingAttempts == left && error?.allowOnboardingOtpRetry == ((left ?? 0) > 0))
    #expect(service.hasActiveProcess == ((left ?? 0) > 0))
    #expect(error?.powerAuthRestApiError?.responseObject?.code == "ERR_ACTIVATION" && error?.httpStatusCode == 400)
  }

  @Test("an app that is offline keeps the process; other failures do not")
  func offline() async throws {
    for (code, isKept) in [(TransportError.Code.offline, true), (.connectionLost, false)] {
      let phone = server.phone
      let sdk = PowerAuthSDK(
        configuration: PowerAuthConfiguration(
          instanceId: "\(code.rawValue)", baseEndpointUrl: "https://bank.example",
          configuration: phone.peer.configuration.text),
        platform: PowerAuthPlatform(
          store: phone.store,
          transport: HTTPTransport { (request, progress) async throws(TransportError) in
            if request.url.path.hasSuffix("/activation/create") { throw TransportError(code) }
            return try await phone.peer.transport.send(request, progress: progress)
          }, clock: phone.clock.client))
      let service = service(sdk)
      try await service.start(credentials: Credentials())
      let error = await error { () async throws(WPNError) in _ = try await service.activate(otp: "1234") }
      #expect(error?.networkIsNotReachable == isKept && service.hasActiveProcess == isKept)
    }
  }

  @Test("cancelling succeeds by force without the server, and fails without force")
  func cancel() async throws {
    let service = service(server.phone.start())
    try await service.start(credentials: Credentials())
    server.next(.cleanUpProcess, .lost(afterActing: false))
    let error = await error { () async throws(WPNError) in try await service.cancel(forceCancel: false) }
    #expect(error != nil && service.hasActiveProcess)
    server.next(.cleanUpProcess, .lost(afterActing: false))
    try await service.cancel()
    #expect(!service.hasActiveProcess)
    try await service.start(credentials: Credentials())
    try await service.cancel(forceCancel: false)
    #expect(!service.hasActiveProcess && server.endpoints.last == .cleanUpProcess)
  }

  @Test("each word of the server is a status; an unknown one is a failure")
  func statuses() async throws {
    let service = service(server.phone.start())
    try await service.start(credentials: Credentials())
    let expected = WDOActivationService.Status.allCases
    for (word, status) in zip(Wultra.OnboardingStatus.known, expected) {
      server.set { $0.onboardingStatus = word }
      #expect(try await service.status() == status)
    }
    server.set { $0.onboardingStatus = .init(rawValue: "NEW") }
    #expect(await error { () async throws(WPNError) in _ = try await service.status() }?.reason == .unknown)
  }

  @Test("credentials that are no JSON object are not sent")
  func credentials() async throws {
    let service = service(server.phone.start())
    let error = await error { () async throws(WPNError) in try await service.start(credentials: [1, 2]) }
    #expect(error?.reason == .network_invalidRequestObject && server.endpoints.isEmpty)
  }

  @Test("the published calls complete on the main queue, in the order in which they were made")
  func completions() async throws {
    let service = service(server.phone.start())
    let (stream, told) = AsyncStream<String>.makeStream()
    service.start(credentials: Credentials()) { told.yield("start \((try? $0.get()) != nil)") }
    service.status { told.yield("status \((try? $0.get()) == .activationInProgress)") }
    service.resendOTP { told.yield("resend \((try? $0.get()) != nil)") }
    service.getOTP { told.yield("otp \((try? $0.get()) ?? "")") }
    service.activate(otp: "1234") { result in
      dispatchPrecondition(condition: .onQueue(.main))
      told.yield("activate \((try? result.get()) != nil)")
    }
    service.cancel { result in
      told.yield("cancel \((try? result.get()) != nil)")
      told.finish()
    }
    var all: [String] = []
    for await line in stream { all.append(line) }
    #expect(
      all == ["start true", "status true", "resend true", "otp 1234", "activate true", "cancel false"])
  }

  @Test("the flags of the activation say whether the user has to be verified")
  func flags() async throws {
    let sdk = try await server.phone.activated()
    for (flags, pending, inProgress) in [
      ([], false, false), (["VERIFICATION_PENDING"], true, false), (["X", "VERIFICATION_IN_PROGRESS"], false, true),
    ] as [([String], Bool, Bool)] {
      server.phone.peer.state.withLock { $0.customObject = ["activationFlags": .array(flags.map { .string($0) })] }
      let status = try await sdk.fetchActivationStatus()
      #expect(status.verificationPending == pending && status.verificationInProgress == inProgress)
      #expect(status.needVerification == (pending || inProgress))
    }
    server.phone.peer.state.withLock { $0.customObject = [:] }
    #expect(try await !sdk.fetchActivationStatus().needVerification)
  }
}
