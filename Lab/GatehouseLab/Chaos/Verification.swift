// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import PowerAuth2
import WultraDigitalOnboarding
import WultraPowerAuthNetworking

/// One onboarding with a device, by Wultra's SDK: start, activate, consent, documents, presence, code. An app that met an
/// error is started anew on what its phone has stored.
struct Verification: ChaosCustomer {
  /// Everybody, and everything that they need.
  struct Scene: ChaosScene {
    let address: URL
    let outside: ChaosOutside
    let institution: WultraInstitution
    let pictures: CardPictures?
    let randomness: ChaosRandomness
    /// Everybody's, so that no phone has a network of its own to keep.
    let transport = HTTPTransport.live()
    let semaphore = AsyncSemaphore(width: 32)

    func customer(_ serial: Int, hasPictures: Bool) -> any ChaosCustomer {
      Verification(serial, hasPictures: hasPictures, self)
    }

    func attended(_ play: @escaping @Sendable () async -> [any ChaosCustomer]) async throws -> [any ChaosCustomer] {
      await withTaskGroup(of: [any ChaosCustomer]?.self) { group in
        group.addTask { await play() }
        group.addTask {
          await institution.decideReviews()
          return nil
        }
        for await played in group {
          guard let played else { continue }
          group.cancelAll()
          return played
        }
        return []
      }
    }
  }

  /// Steps that an answer said were taken.
  enum Step: String, Sendable {
    case activated, consented, documentsTaken, presenceSubmitted, codeAccepted, verified
  }

  private struct Credentials: Codable {
    let clientNumber: String
  }

  /// Turns without a message after which another code is asked for.
  private static let patience = 150

  let serial: Int
  let hasPictures: Bool
  private(set) var told: Set<Step> = []
  /// Pictures of the face that the server said it took.
  private(set) var captures = 0
  private(set) var troubles: [String: Int] = [:]
  private(set) var calls = 0
  private(set) var isFinished = false
  private var tried: Set<String> = []
  private var turnsWithoutCode = 0
  /// Of a presence check that was begun and has no picture yet.
  private var presence: (endpoint: String, token: String)?
  private let store = MemorySecureStore()
  private let transport: HTTPTransport
  private let scene: Scene
  private var sdk: PowerAuthSDK

  var stepsTold: Int { told.count + captures }

  init(_ serial: Int, hasPictures: Bool, _ scene: Scene) {
    self.serial = serial
    self.hasPictures = hasPictures
    self.scene = scene
    let live = scene.transport
    let place = "10.\(serial >> 8 & 0xff).\(serial & 0xff).7"
    transport = HTTPTransport { (request, progress) async throws(TransportError) in
      var request = request
      request.headers["X-Forwarded-For"] = place
      return try await live.send(request, progress: progress)
    }
    sdk = Self.start(scene, store, transport)
  }

  /// A fresh start of the app.
  private static func start(_ scene: Scene, _ store: MemorySecureStore, _ transport: HTTPTransport) -> PowerAuthSDK {
    PowerAuthSDK(
      configuration: PowerAuthConfiguration(
        instanceId: "app", baseEndpointUrl: scene.address.appending(path: "enrollment-server").absoluteString,
        configuration: scene.institution.configuration),
      platform: PowerAuthPlatform(store: store, transport: transport))
  }

  private var onboardingURL: URL { scene.address.appending(path: "enrollment-onboarding-server") }

  private var networking: WPNNetworkingService {
    WPNNetworkingService(
      powerAuth: sdk, config: WPNConfig(baseUrl: onboardingURL), serviceName: "app", transport: transport)
  }

  mutating func play(until end: ContinuousClock.Instant) async {
    while !isFinished, ContinuousClock.now < end, !Task.isCancelled {
      await scene.semaphore.enter()
      do { try await advance() } catch {
        note(error)
        sdk = Self.start(scene, store, transport)
      }
      await scene.semaphore.leave()
      if !isFinished {
        try? await ClientClock.live.pause(for: .milliseconds(100 + scene.randomness.number(below: 400)))
      }
    }
  }

  func faults() async -> [String] {
    guard isFinished, let activation = sdk.activationIdentifier else {
      return ["onboarding \(serial): never ended; told of \(told.map(\.rawValue).sorted())"]
    }
    do {
      guard let record = try await scene.institution.record(of: activation) else {
        return ["onboarding \(serial): the server knows nothing of it"]
      }
      let wanted = hasPictures ? 2 : 0
      let isThere =
        record.status == "finished" && record.isVerified && record.hasConsented && record.documents >= 2
        && record.pictures >= wanted && record.captures >= captures
      let flags = try await Self.start(scene, store, transport).fetchActivationStatus()
      return (isThere ? [] : ["onboarding \(serial): of what it was told something is missing: \(record)"])
        + (flags.needVerification ? ["onboarding \(serial): is verified, and its device is not"] : [])
    } catch { return ["onboarding \(serial): the server says nothing of it: \(type(of: error))"] }
  }

  // MARK: Steps

  private mutating func advance() async throws {
    guard sdk.hasValidActivation() else { return try await join() }
    let service = WDOVerificationService(networking: networking)
    let state = try await service.status()
    calls += 1
    switch state {
    case .intro, .consent:
      _ = try await service.consentGet()
      _ = try await service.consentApprove()
      told.insert(.consented)
    case .documentsToScanSelect, .scanDocument: return try await documents(state, service)
    case .presenceCheck: return try await checkPresence(service)
    case .otp: return try await confirm(service)
    case .processing: return
    case .success:
      told.insert(.verified)
      isFinished = true
      return
    case .failed: _ = try await service.restartVerification()
    case .endstate(let reason):
      troubles["ended: \(reason)", default: 0] += 1
      try await service.cancelWholeProcess()
      sdk.removeActivationLocal()
    }
    calls += 1
  }

  /// As far as an activation that the phone keeps.
  private mutating func join() async throws {
    if sdk.hasPendingActivation() { sdk.removeActivationLocal() }
    let service = WDOActivationService(networking: networking)
    guard service.hasActiveProcess else {
      try await service.start(credentials: Credentials(clientNumber: "\(serial)"))
      calls += 1
      return
    }
    switch try await service.status() {
    case .activationInProgress:
      guard let message = try await code() else {
        if isPatienceOver { try await service.resendOTP() }
        return
      }
      do { _ = try await service.activate(otp: message.code) } catch {
        if error.onboardingOtpRemainingAttempts != nil { tried.insert(message.key) }
        throw error
      }
      try sdk.persistActivation(withPassword: "1357")
      tried.insert(message.key)
      told.insert(.activated)
    case .verificationInProgress:
      // The server activated a device, and the answer with its keys was lost: it cannot go on.
      troubles["activation lost", default: 0] += 1
      try await service.cancel(forceCancel: false)
    case .failed, .finished: service.clear()
    }
    calls += 1
  }

  private mutating func documents(_ state: WDOVerificationState, _ service: WDOVerificationService) async throws {
    guard hasPictures, let pictures = scene.pictures else {
      return try await scene.institution.acceptCard(of: sdk.activationIdentifier ?? "")
    }
    guard case .scanDocument(let process) = state else {
      _ = try await service.documentsSetSelectedTypes(types: [.idCard])
      return
    }
    guard let card = process.nextDocumentToScan else { return }
    let bad = card.sides.filter { $0.uploadState == .rejected }.map(\.type)
    let sides = card.sides.isEmpty ? [WDODocumentSide.front, .back] : bad
    _ = try await service.documentsSubmit(
      files: sides.map { card.createFileForUpload(side: $0, data: $0 == .front ? pictures.front : pictures.back) })
    told.insert(.documentsTaken)
    calls += 1
  }

  private mutating func checkPresence(_ service: WDOVerificationService) async throws {
    if presence == nil {
      let session = try await service.presenceCheckInit()
      calls += 1
      guard let endpoint = session["captureEndpoint"] as? String, let token = session["sessionToken"] as? String else {
        return
      }
      presence = (endpoint, token)
    }
    if let presence, let pictures = scene.pictures {
      let answer = try await transport.send(
        TransportRequest(
          method: "POST", url: onboardingURL.appending(path: presence.endpoint),
          headers: ["Authorization": "Bearer \(presence.token)", "Content-Type": "image/jpeg"], body: pictures.selfie))
      guard answer.isSuccess else {
        troubles["capture \(answer.status)", default: 0] += 1
        // A session that is over, or full.
        if answer.status == 401 || answer.status == 400 { self.presence = nil }
        return
      }
      captures += 1
      calls += 1
    }
    _ = try await service.presenceCheckSubmit()
    presence = nil
    told.insert(.presenceSubmitted)
    calls += 1
  }

  private mutating func confirm(_ service: WDOVerificationService) async throws {
    guard let message = try await code() else {
      if isPatienceOver { try await service.resendOTP() }
      return
    }
    let success = try await service.verifyOTP(otp: message.code)
    calls += 1
    tried.insert(message.key)
    if case .processing = success.state { told.insert(.codeAccepted) }
  }

  /// The newest code that was not tried yet.
  private mutating func code() async throws -> (key: String, code: String)? {
    let messages = try await scene.outside.messages(to: WultraInstitution.phone(serial))
    guard let message = messages.last, !tried.contains(message.key),
      let match = message.text.firstMatch(of: #/\b[0-9]{8}\b/#)
    else {
      turnsWithoutCode += 1
      return nil
    }
    turnsWithoutCode = 0
    return (message.key, String(match.output))
  }

  private var isPatienceOver: Bool {
    mutating get {
      guard turnsWithoutCode > Self.patience else { return false }
      turnsWithoutCode = 0
      return true
    }
  }

  private mutating func note(_ error: any Error) {
    let cause = (error as? WDOVerificationService.Fail)?.cause ?? error as? WPNError
    let name =
      cause.map { cause in
        let said = [cause.httpStatusCode.map { "\($0)" }, cause.restApiError?.code].compactMap(\.self)
        return said.isEmpty ? cause.reason.rawValue : said.joined(separator: " ")
      } ?? (error as? TransportError)?.code.rawValue ?? "\(type(of: error))"
    troubles[name, default: 0] += 1
    // The process is over, and its activation with it.
    if cause?.reason == .wdo_verification_activationNotActive { sdk.removeActivationLocal() }
  }
}
