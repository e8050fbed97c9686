// SPDX-License-Identifier: Apache-2.0

import Evidence
import Foundation
import HTTP
import Identity
import Kit
import ServerTLS
import TestSupport
import Testing

@testable import GatehouseApp

/// What a start would end with after its list, were it not on it.
extension StartTests {
  @Test(
    "a model that a start could not load is on the list, whatever is waived",
    arguments: ["face_detection_yunet_1.onnx", "face_recognition_sface_1.onnx", "liveness_1.onnx"],
    [Data("<html>Not found</html>".utf8), Data([8])])
  func model(name: String, content: Data) async throws {
    let settings = try file()
    try content.write(to: folder.url("models/\(name)"))
    var loaded = try await Settings.load(file: settings, environment: [:])
    loaded.evidence.tesseractFolder = folder.file("tessdata")
    for waived in [[], Set(StartFault.Waiver.allCases)] {
      loaded.waived = waived
      #expect(loaded.startFaults.map(\.waiver) == [nil] && loaded.startFaults[0].sentence.contains(name))
    }
    // A process that runs has loaded it.
    #expect(loaded.runningFaults == [])
    loaded.modelsFolder = folder.file("nowhere")
    #expect(loaded.startFaults.map(\.waiver) == [nil])
    loaded.waived = []
    #expect(loaded.startFaults.map(\.waiver) == [.faces])
  }

  @Test("the models that were loaded for the list are those that are served with: no file is read again")
  func loadedOnce() async throws {
    _ = try file()
    var settings = BackupTestApp.settings("once", in: folder)
    settings.modelsFolder = folder.file("models")
    let ready = try settings.requireStart()
    try FileManager.default.removeItem(atPath: folder.file("models"))
    func open(_ settings: Settings) async throws -> App {
      try await App.open(
        settings, logger: settings.logger("start"), passwordCost: PasswordCost(memory: 8, passes: 1))
    }
    await #expect(throws: ModelProblem.self) { try await open(settings) }
    let app = try await open(ready)
    // Without models both would answer that they could not compare.
    await #expect(throws: ImageProblem.self) {
      try await app.faces.compare(FaceImage(Data(), .selfie), FaceImage(Data(), .portrait))
    }
    await #expect(throws: ImageProblem.self) { try await app.liveness.check(Data()) }
  }

  @Test(
    "what is wrong with the mail server is on the list by the setting's name, beside everything else",
    arguments: [
      ("smtp.sender.address", nil, "smtp.sender.address is missing"),
      ("smtp.sender.address", "codes", "smtp.sender.address is not"), ("smtp.host", " ", "smtp.host is"),
      ("smtp.host", "mail_1.bank.example", "smtp.host is"), ("smtp.security", "tls", "smtp.security is one of"),
    ] as [(String, String?, String)])
  func mail(key: String, value: String?, words: String) async throws {
    let found = try await faults([key: value, "models": nil, "sms.url": nil])
    #expect(found.map(\.waiver) == [nil, .sms, .faces] && found[0].sentence.hasPrefix(words), "\(found)")
  }

  @Test("a desk that is no institution's is on the list, and a tenants file that cannot be read is told alone")
  func desk() async throws {
    #expect(try await faults(["casework.desk": "default"]) == [])
    let found = try await faults(["casework.desk": "nowhere", "sms.url": nil])
    #expect(found.map(\.waiver) == [nil, .sms] && found[0].sentence.hasPrefix("casework.desk is"))
    let broken = try await faults(["casework.desk": "nowhere", "tenants": folder.file("none.json")])
    #expect(broken.count == 1 && broken[0].sentence.contains("none.json"))
  }

  @Test("a password for a mail server without TLS is on the list, and is not told")
  func password() async throws {
    let found = try await faults([
      "smtp.security": "opportunistic", "smtp.user": "u", "smtp.password": "hunter2", "sms.url": nil,
    ])
    #expect(found.map(\.waiver) == [nil, .sms] && found[0].sentence.contains("in clear"))
    #expect(!found[0].sentence.contains("hunter2"))
  }

  @Test(
    "a KMS that does not open the key ring is on the list, and nothing is told twice",
    .enabled(if: SoftToken.module != nil, Comment(rawValue: SoftToken.missing)))
  func kms() async throws {
    let module = try #require(SoftToken.module)
    let right = [
      "kms.module": module, "kms.token": SoftToken.label, "kms.key": "start", "kms.pin": SoftToken.pin,
    ]
    func told(_ changes: [String: String] = [:]) async throws -> [String] {
      try await faults(right.merging(changes) { $1 }).map(\.sentence)
    }
    // A process that has signed in once asks for no PIN again.
    for (changes, error) in [
      (["kms.pin": "9999"], .login), (["kms.module": "/nowhere.so"], .noModule("/nowhere.so")),
      (["kms.token": "other"], .noToken("other")), ([:], .noKey("start")),
    ] as [([String: String], KeyManagementError)] {
      #expect(try await told(changes) == ["\(error)"])
    }
    let settings = try await Settings.load(file: file(right), environment: [:])
    let made = try #require(try settings.keyManagement(generates: true))
    #expect(try await told() == [])
    // Wrapped by another key of the token, which a start finds out only by opening it.
    _ = try Keyring(path: settings.keyringPath, world: .live, kms: made)
    _ = try EpochKeyFile(settings.epochKeyPath, kms: made).readOrMake(world: .live)
    #expect(try await told() == [])
    let changed = try await Settings.load(file: file(right.merging(["kms.key": "another"]) { $1 }), environment: [:])
    let another = try #require(try changed.keyManagement(generates: true))
    #expect(try await told(["kms.key": "another"]) == ["\(KeyManagementError.notWrapped)"])
    // The same of the epoch key, beside a ring that is open.
    try FileManager.default.removeItem(atPath: settings.keyringPath)
    _ = try Keyring(path: settings.keyringPath, world: .live, kms: another)
    #expect(try await told(["kms.key": "another"]) == ["\(KeyManagementError.notWrapped)"])
  }

  @Test("a certificate that cannot be read keeps a sandbox from starting, too")
  func certificate() {
    var settings = Settings()
    settings.links = .all
    settings.tls = TLSSettings(certificate: folder.file("none.pem"), key: folder.file("none.key"))
    #expect(settings.startFaults.map { $0.sentence.contains("tls.certificate names a file") } == [true])
  }
}
