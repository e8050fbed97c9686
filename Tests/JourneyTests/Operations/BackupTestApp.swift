// SPDX-License-Identifier: Apache-2.0

import Identity
import Foundation
import GatehouseWire
import RubixWire
import HTTP
import Kit
import Storage
import TestSupport

@testable import RubixFlow
@testable import GatehouseApp

/// An installation in a folder with customers of whom a row and a picture is kept.
struct BackupTestApp: Sendable {
  let clock: TestWorld
  let folder: TestFolder
  let settings: Settings
  let app: App

  /// - Parameter seed: two installations of one seed have the same keys.
  init(
    _ name: String = "data", in folder: TestFolder? = nil, seed: UInt64 = 1, database: (any SQLDatabase)? = nil
  ) async throws {
    clock = TestWorld(seed: seed)
    self.folder = try folder ?? TestFolder()
    settings = Self.settings(name, in: self.folder)
    app = try await Self.open(settings, clock, database: database)
  }

  static func settings(_ name: String, in folder: TestFolder) -> Settings {
    var settings = Settings()
    settings.dataFolder = folder.file(name)
    settings[RubixSettings.self].limitFactor = 10_000
    settings.logLevel = "critical"
    return settings
  }

  /// - Parameter database: nil is the file of the data folder.
  static func open(
    _ settings: Settings, _ clock: TestWorld, database: (any SQLDatabase)? = nil
  ) async throws -> App {
    if database == nil { try await settings.putSchema() }
    return try await App.open(
      settings, database: database, world: clock.world, logger: settings.logger("backup"),
      passwordCost: PasswordCost(memory: 8, passes: 1))
  }

  var backup: Backup { Backup(settings: settings, blobs: .disk(settings.blobFolder), world: clock.world) }
  var erasure: CustomerErasure { app.customerErasure }
  var exporter: CustomerExporter { app.rubix.exporter(devOutbox: app.devOutbox) }

  static func picture(_ number: Int) -> Data { Data("picture \(number) ".utf8) + Data(repeating: 7, count: 5000) }
  static func email(_ number: Int) -> String { "customer-\(number)@example.com" }

  /// A customer with one picture, committed when this returns.
  func customer(_ number: Int) async throws -> RubixFlow.Application.ID {
    let registration = app.rubix.registration(limits: .init(factor: 10_000))
    let request = RegisterRequest(
      deviceID: "device-number-000\(number)", platform: .ios, contactNo: "+965500\(10_000 + number)",
      email: Self.email(number),
      consents: [ConsentCode.terms, .biometrics].map {
        ConsentGrant(code: $0, version: "1", acceptedAt: WireInstant(millisecondsSince1970: clock.now.milliseconds))
      })
    let answer = try await registration.register(
      RequestContent(bytes: try WireJSON.encode(request)), tenant: .default, address: nil,
      idempotencyKey: clock.world.uuid())
    let id = RubixFlow.Application.ID(
      rawValue: try WireJSON.decode(OnboardingView.self, from: answer.answer.answer.body).id)
    try await image(Self.picture(number), of: id)
    return id
  }

  private func image(_ picture: Data, of id: RubixFlow.Application.ID) async throws {
    let (core, now) = (app.core, clock.now)
    let image = CapturedImage.ID(core.world)
    try await core.keepImage(picture, as: image.rawValue, of: id)
    try await core.database.write { tx in
      let store = ImageStore(tx, vault: core.vault)
      let session = CaptureSession(id: .init(core.world), application: id, createdAt: now)
      try store.insert(session)
      try store.insert(
        CapturedImage(
          id: image, application: id, session: session.id, type: .passport, subType: nil, state: .processed,
          width: 1000, height: 700, sha256: "00", quality: ImageQuality(sharpness: 1, glare: 0, crop: .ok),
          liveness: nil, isRead: false, hasPortrait: false, createdAt: now),
        clientHints: nil)
    }
  }

  /// Opens everything that an installation keeps of its customers.
  /// - Returns: e-mail address and pictures of each.
  static func contents(of app: App) async throws -> [String: [Data]] {
    let (applications, images) = try await app.database.read { tx in
      let ids: [RubixFlow.Application.ID] = try tx.query("SELECT id FROM rubix_application ORDER BY id").map {
        try $0.get("id")
      }
      let vault = app.core.vault
      let images = try ids.map { try ImageStore(tx, vault: vault).all(of: $0).map(\.id.rawValue) }
      return (try ids.map { try ApplicationStore(tx, vault: vault).find($0, tenant: "default") }, images)
    }
    var contents: [String: [Data]] = [:]
    for (application, keys) in zip(applications, images) {
      var pictures: [Data] = []
      for key in keys { pictures.append(try await app.core.openImage(key)) }
      contents[application.applicant.email ?? ""] = pictures
    }
    return contents
  }

  /// Performs whatever is owed by now.
  func settle() async throws { while try await app.worker.runDue() > 0 {} }

  /// Every byte below the data folder.
  func bytes() throws -> Data {
    var bytes = Data()
    for path in try FileManager.default.subpathsOfDirectory(atPath: settings.dataFolder) {
      if let file = FileManager.default.contents(atPath: "\(settings.dataFolder)/\(path)") { bytes += file }
    }
    return bytes
  }
}
