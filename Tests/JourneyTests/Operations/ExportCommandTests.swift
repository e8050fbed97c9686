// SPDX-License-Identifier: Apache-2.0

import Identity
import Foundation
import Kit
import TestSupport
import Testing

@testable import WultraFlow
@testable import GatehouseApp
@testable import gatehouse

@Suite("Operations: exports at the command line", .ownFile)
struct ExportCommandTests {
  private static let picture = Data("picture of a card ".utf8) + Data(repeating: 7, count: 5000)

  /// An installation with a user in the middle of an onboarding, who sent one picture.
  /// - Returns: the picture's id.
  private static func onboarding(_ settings: Settings) async throws -> String {
    try await settings.putSchema()
    let app = try await App.open(
      settings, logger: settings.logger("export"), passwordCost: PasswordCost(memory: 8, passes: 1))
    let core = app.wultra.dossiers.core
    let (now, document) = (core.world.now(), SubmittedDocument.ID(core.world))
    try await core.blobs.put(
      document.rawValue, core.vault.seal(picture, context: SubmittedDocument.context(document.rawValue)))
    try await core.database.write { tx in
      let process = OnboardingProcess(
        id: .init(core.world), tenant: "default", status: .activating, identificationDigest: "said",
        person: .init(user: "ada", language: "en", consentRequired: false), createdAt: now, deadline: now + .minutes(5))
      try ProcessStore(tx, vault: core.vault).insert(process)
      let verification = IdentityVerification(
        id: .init(core.world), process: process.id, state: .uploading, createdAt: now)
      try IdentityVerificationStore(tx).insert(verification)
      try SubmittedDocumentStore(tx, vault: core.vault).insert(
        SubmittedDocument(
          id: document, verification: verification.id, document: .idCard, side: .front, filename: "card.jpg",
          status: .reading, original: nil, hasImage: true, createdAt: now))
    }
    return document.rawValue
  }

  @Test("a user is written into a new folder or archive, with the pictures; what is there already stays")
  func user() async throws {
    let folder = try TestFolder()
    let settings = BackupTestApp.settings("data", in: folder)
    let document = try await Self.onboarding(settings)
    func export(to target: String) async throws {
      try await WultraCommand.Export.parse([
        "--data", settings.dataFolder, "--log", "error", "--user", "ada", "--to", target,
      ]).run()
    }
    let (target, archive) = (folder.file("export"), folder.file("export.zip"))
    try await export(to: target)
    let path = "images/\(document).jpg"
    #expect(FileManager.default.contents(atPath: "\(target)/\(path)") == Self.picture)
    let bytes = try #require(FileManager.default.contents(atPath: "\(target)/user.json"))
    let text = String(decoding: bytes, as: UTF8.self)
    for known in ["ada", "card.jpg", path, Self.picture.sha256Hex] { #expect(text.contains(known), "\(known)") }
    #expect(!text.contains("\"said\""))
    try await export(to: archive)
    let packed = try #require(FileManager.default.contents(atPath: archive))
    for part in [Data("user.json".utf8), Data(path.utf8), Self.picture] { #expect(packed.range(of: part) != nil) }
    await #expect(throws: BackupError.self) { try await export(to: target) }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.sorted() == ["data", "export", "export.zip"])
  }

  @Test(
    "a person of whom nothing is kept is refused, and no file is left", arguments: ["wultra", "oneassist", "saltedge"])
  func unknown(module: String) async throws {
    let folder = try TestFolder()
    let options = ["--data", folder.file("data"), "--log", "error", "--to", folder.file("export")]
    let settings = BackupTestApp.settings("data", in: folder)
    try await settings.putSchema()
    if module == "oneassist" {
      let phoneApp = try await App.open(
        settings, logger: settings.logger("export"), passwordCost: PasswordCost(memory: 8, passes: 1))
      try await phoneApp.staff.add(
        NewStaffMember(
          tenant: "default", email: "ada@bank.example", name: "Ada", gender: .female, languages: ["en"],
          permissions: [.readCustomers], password: "utopia lies westward 9"), by: "operator")
      let stranger = OneAssistCommand.Export.self
      await #expect(throws: Problem.self) {
        try await stranger.parse(options + ["nothing", "--agent", "Mickey Mouse"]).run()
      }
    }
    await #expect(throws: Problem.notFound) {
      switch module {
      case "wultra": try await WultraCommand.Export.parse(options + ["--user", "nobody"]).run()
      case "oneassist":
        try await OneAssistCommand.Export.parse(options + ["nothing", "--agent", "ada@bank.example"]).run()
      default: try await SaltEdgeCommand.Export.parse(options + ["nobank", "--user", "nobody"]).run()
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["data"])
  }

  @Test("a sealed value that was moved in the store is told in words, and not as an error of the cipher")
  func moved() async throws {
    let settings = BackupTestApp.settings("data", in: try TestFolder())
    try await settings.putSchema()
    let app = try await App.open(
      settings, logger: settings.logger("export"), passwordCost: PasswordCost(memory: 8, passes: 1))
    let vault = app.wultra.dossiers.core.vault
    let sealed = try vault.seal(Data("Anna".utf8), context: "person.name:1")
    let error = try #require(throws: (any Error).self) { try vault.open(sealed, context: "person.name:2") }
    let report = FailureReport(error)
    #expect(report.exit == .failed && report.message.hasPrefix("A value does not open under the key"), "\(report)")
  }
}
