// SPDX-License-Identifier: Apache-2.0

import Finaptic
import FinapticFlow
import Foundation
import GatehouseApp
import GatehouseTransport
import Specimens

extension DemoStage {
  /// Plays the onboarding of the published sample application, then one that fails and recovers, then a refusal.
  func playFinaptic(in app: App) async throws {
    let sdkKey = try await DemoTenant.make(in: app)
    let (card, face) = (
      try DemoPapers(.drivingLicence, of: holder(8), seed: seed &+ 8, on: day, DemoPapers.careful),
      try Selfie.draw(of: holder(8), seed: seed &+ 8, reference: day).data
    )
    let pictures = FinapticPlay.Pictures(front: card.picture(.front), back: card.picture(.back), face: face)
    let stories: [(String, @Sendable (FinapticStory) async throws -> Void)] = [
      (
        "Finaptic: as the sample application",
        {
          try await $0.become()
          try await $0.talk(with: app.finaptic.dependencies.agentChats, in: app)
          try await $0.useCard(in: app)
          try await $0.receiveMoney(in: app)
        }
      ),
      ("Finaptic: failed, corrected, accepted", { try await $0.recover() }),
      ("Finaptic: refused", { try await $0.beRejected() }),
    ]
    for (number, (title, act)) in stories.enumerated() {
      // Each on a phone of its own. The report tells of every step: the SDK's log would stand between its lines.
      let sdk = try await FinapticSDK.make(
        sdkKey: sdkKey,
        options: FinapticOptions(
          store: MemorySecureStore(), queue: DispatchQueue(label: "finaptic.demo"), log: { _ in }))
      let play = FinapticPlay(
        sdk: sdk, pictures: pictures, email: "applicant\(number)@utopia.example", now: { [clock] in clock.now.date })
      do { try await act(FinapticStory(title: title, play: play, log: log)) } catch is FinapticStory.Broken {}
    }
  }
}

/// The tenant of the demonstration: a sandbox, with an app and a file of profiles.
enum DemoTenant {
  static let (passing, mistaken, sanctioned) = ("Passing", "Mistaken", "Sanctioned")

  /// Made as an operator makes one.
  /// - Returns: the SDK key.
  static func make(in app: App) async throws -> String {
    let tenants = app.finaptic.dependencies.tenants
    try await tenants.add(1, name: "Bank of Utopia", kind: .sandbox, by: "demo")
    return try await tenants.issueKey("Demo app", tenant: 1, by: "demo").sdkKey.text
  }

  /// Writes what becomes of whom.
  static func writeProfiles(in folder: String) throws -> String {
    let path = "\(folder)/finaptic-profiles.json"
    try Data(profiles.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  private static let profiles = """
    {"schemaVersion": 1, "system": "finaptic", "profiles": [
      {"id": "demo-mistaken", "category": "kyc",
       "input": {"firstName": "Thomas", "middleName": "\(mistaken)", "lastName": "More"},
       "expect": {
         "validateDocuments": {"status": "Data Collection", "failureStatusCodes": ["FAILURE_CODE_ID_DOB_MATCH"],
           "retryConsumed": true, "final": false},
         "validateSelfie": {"status": "KYC In Progress", "failureStatusCodes": [], "retryConsumed": false},
         "validateApplication": {"status": "KYC Failed", "failureStatusCodes": ["FAILURE_CODE_ID_DOB_MATCH"],
           "retryConsumed": true, "final": false}}},
      {"id": "demo-sanctioned", "category": "kyc",
       "input": {"firstName": "Thomas", "middleName": "\(sanctioned)", "lastName": "More"},
       "expect": {
         "validateDocuments": {"status": "KYC In Progress", "failureStatusCodes": [], "retryConsumed": false},
         "validateSelfie": {"status": "KYC In Progress", "failureStatusCodes": [], "retryConsumed": false},
         "validateApplication": {"status": "KYC Rejected", "failureStatusCodes": ["FAILURE_CODE_DEFAULT"],
           "retryConsumed": true, "final": true}}}
    ]}
    """
}

extension DemoApp {
  /// Starts an installation whose addresses know their port, hands it over, and stops it.
  static func runWithFinaptic(
    in folder: String, clock: DemoClock, _ body: @escaping @Sendable (App, URL) async throws -> Void
  ) async throws {
    var settings = Settings()
    settings.dataFolder = folder
    settings.logLevel = "error"
    // Addresses for pictures are told in full.
    let port = try ReservedPort()
    defer { port.release() }
    settings.port = port.number
    try settings.makeDataFolder()
    settings[FinapticSettings.self].sandboxProfiles = [try DemoTenant.writeProfiles(in: folder)]
    let logger = settings.logger("gatehouse")
    let app = try await App.open(settings, world: clock.world, logger: logger, passwordCost: passwordCost)
    try await LoopbackServer.run({ bound in [app.server { bound.yield($0) }, app.worker] }, logger: logger) {
      port in
      guard let address = URL(string: "http://127.0.0.1:\(port)") else { throw NotStarted() }
      try await body(app, address)
    }
  }
}
