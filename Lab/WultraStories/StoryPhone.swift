// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import PowerAuth2
import Synchronization
import WultraDigitalOnboarding
import WultraPowerAuthNetworking
import WultraWire

/// A phone with our SDK. The app can be killed at any time: every object is made anew, on what the phone stores.
package final class StoryPhone: Sendable {
  package struct Credentials: Codable, Sendable {
    package var clientNumber: String
    package var birthDate: String

    package init(clientNumber: String, birthDate: String = "1990-01-01") {
      self.clientNumber = clientNumber
      self.birthDate = birthDate
    }
  }

  private static let pin = "1357"
  /// How often the server is waited for before a story counts as stuck.
  private static let waitsMax = 600

  struct NothingCame: Error, CustomStringConvertible {
    let description = "nothing came"
  }

  package let stage: StoryStage
  package let clientNumber: String
  private let store: MemorySecureStore
  /// Codes that were typed already.
  private let codesTaken: Mutex<Int>

  package convenience init(_ stage: StoryStage, clientNumber: String) {
    self.init(stage, clientNumber, MemorySecureStore(), codesTaken: 0)
  }

  private init(_ stage: StoryStage, _ clientNumber: String, _ store: MemorySecureStore, codesTaken: Int) {
    self.stage = stage
    self.clientNumber = clientNumber
    self.store = store
    self.codesTaken = Mutex(codesTaken)
  }

  /// The same phone, whose network leads elsewhere.
  package func moved(to stage: StoryStage) -> StoryPhone {
    StoryPhone(stage, clientNumber, store, codesTaken: codesTaken.withLock { $0 })
  }

  // MARK: The app, just started

  package func powerAuth() -> PowerAuthSDK {
    PowerAuthSDK(
      configuration: PowerAuthConfiguration(
        instanceId: "story", baseEndpointUrl: stage.powerAuth, configuration: stage.configuration),
      platform: PowerAuthPlatform(
        store: store, transport: stage.transport, clock: stage.clock,
        device: PowerAuthDevice(platform: "iOS", model: "iPhone12,3")))
  }

  package func networking(_ sdk: PowerAuthSDK) -> WPNNetworkingService {
    WPNNetworkingService(
      powerAuth: sdk, config: WPNConfig(baseUrl: stage.onboarding), serviceName: "story", transport: stage.transport)
  }

  package func activation() -> WDOActivationService { WDOActivationService(networking: networking(powerAuth())) }
  package func verification() -> WDOVerificationService { WDOVerificationService(networking: networking(powerAuth())) }

  /// A verification whose status is known.
  package func informed() async throws(WDOVerificationService.Fail) -> WDOVerificationService {
    let service = verification()
    _ = try await service.status()
    return service
  }

  /// Loses which documents the user chose, as an app whose data is partly gone.
  package func loseChoice() { store.remove("wdocp_story") }

  // MARK: Waiting

  /// What is shown when the server has done its part; the waits on the way are the note.
  package func shown() async throws -> StoryAnswer {
    var passed: [String] = []
    for _ in 0..<Self.waitsMax {
      let state = try await verification().status()
      guard case .processing = state else {
        return StoryAnswer(state.line, note: passed.isEmpty ? "" : "after \(passed.joined(separator: ", "))")
      }
      if passed.last != state.line { passed.append(state.line) }
      try await stage.wait()
    }
    throw NothingCame()
  }

  /// The next code that comes.
  package func code() async throws -> String {
    for _ in 0..<Self.waitsMax {
      let codes = try await stage.codes(clientNumber)
      let isNew = codesTaken.withLock { taken in
        defer { taken = codes.count }
        return codes.count > taken
      }
      if isNew, let code = codes.last { return code }
      try await stage.wait()
    }
    throw NothingCame()
  }

  /// Another code of the same length.
  package static func wrong(_ code: String) -> String {
    let zeroes = String(repeating: "0", count: code.count)
    return code == zeroes ? String(zeroes.dropLast()) + "1" : zeroes
  }

  // MARK: What the user does

  package func start() async throws {
    try await activation().start(credentials: Credentials(clientNumber: clientNumber))
  }

  /// Activates by a code and chooses a PIN.
  package func activate(_ code: String) async throws {
    let sdk = powerAuth()
    _ = try await WDOActivationService(networking: networking(sdk)).activate(otp: code)
    try sdk.persistActivation(withPassword: Self.pin)
  }

  package func file(
    _ type: WDODocumentType, _ side: WDODocumentSide, _ picture: StoryPicture
  ) throws -> WDODocumentFile {
    WDODocumentFile(data: try stage.picture(picture), type: type, side: side, originalDocumentId: nil)
  }

  /// What the library of the presence check does: takes a picture under the token of its session.
  package func takeFace(_ session: [String: Any]) async throws {
    guard let token = session["sessionToken"] as? String,
      let url = URL(string: stage.onboarding + Wultra.Endpoint.capturePresence.rawValue)
    else { throw NothingCame() }
    let answer = try await stage.transport.send(
      TransportRequest(
        method: "POST", url: url, headers: ["Authorization": "Bearer \(token)", "Content-Type": "image/jpeg"],
        body: try stage.picture(.face)))
    guard answer.isSuccess else { throw NothingCame() }
  }
}
