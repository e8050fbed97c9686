// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import HTTP
import Kit
import RubixFlow
import ServerTLS
import TestSupport
import Testing

@testable import GatehouseApp
@testable import gatehouse

/// The model that Debian's package installs; nil where it is missing.
private let installedModel = ["Latin.traineddata", "script/Latin.traineddata"].lazy
  .map { "/usr/share/tesseract-ocr/5/tessdata/\($0)" }
  .first { FileManager.default.fileExists(atPath: $0) }

@Suite(
  "Operations: what a start is refused for (issue 24)", .storeless,
  .enabled(if: installedModel != nil, "Debian's package tesseract-ocr-script-latn is missing"))
struct StartTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder() }

  /// A file of settings of an installation with customers that lacks nothing, with these settings changed.
  func file(_ changes: [String: Any?] = [:], named name: String = "settings.json") throws -> String {
    var tenant = Tenant.default
    tenant.acceptsSpecimens = false
    tenant.servedPrefixes = ["965"]
    try JSONEncoder().encode([tenant]).write(to: folder.url("tenants.json"))
    for kind in ["lists", "models"] {
      try FileManager.default.createDirectory(atPath: folder.file(kind), withIntermediateDirectories: true)
    }
    try Data("not empty".utf8).write(to: folder.url("lists/un.csv"))
    for (name, model) in Self.models { try model.write(to: folder.url("models/\(name)")) }
    try write(model: nil, to: "tessdata", as: "Latin.traineddata")
    var values: [String: Any] = [
      "data": folder.file("data"), "tenants": folder.file("tenants.json"), "trustProxy": true,
      "proxyHeader": "x-forwarded-for",
      "screening.folder": folder.file("lists"), "screening.required": "UN", "models": folder.file("models"),
      "smtp.host": "mail.bank.example", "smtp.sender.address": "codes@bank.example",
      "sms.url": "https://sms.example/send?to={to}&text={text}", "sms.prefixes": ["965"],
      "saltedge.publicUrl": "https://sca.bank.example", "oneassist.publicUrl": "https://cover.example",
      "finaptic.publicUrl": "https://app.bank.example", "console.publicUrl": "https://console.bank.example",
    ]
    for (key, value) in changes { values[key] = value }
    let path = folder.file(name)
    try JSONSerialization.data(withJSONObject: values).write(to: URL(fileURLWithPath: path))
    return path
  }

  private static let models = [
    "face_detection_yunet_1.onnx": ONNX.detector(faces: 1), "face_recognition_sface_1.onnx": ONNX.recogniser(),
    "liveness_1.onnx": ONNX.liveness(),
  ]

  /// Its first bytes: a start reads the whole model, and refuses a part of it.
  private static let modelHead =
    installedModel.flatMap { try? FileHandle(forReadingAtPath: $0)?.read(upToCount: 1 << 20) } ?? Data()

  /// - Parameter model: nil for the one that is installed.
  private func write(model: Data?, to data: String, as name: String) throws {
    let url = folder.url("\(data)/\(name)")
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    if let model { return try model.write(to: url) }
    try? FileManager.default.removeItem(at: url)
    try FileManager.default.createSymbolicLink(atPath: url.path, withDestinationPath: #require(installedModel))
  }

  /// Tesseract's data are in a folder of the test, whatever this machine has.
  func faults(_ changes: [String: Any?] = [:], data: String = "tessdata") async throws -> [StartFault] {
    var settings = try await Settings.load(file: file(changes), environment: [:])
    settings.evidence.tesseractFolder = folder.file(data)
    return settings.startFaults
  }

  @Test("an installation that lacks nothing starts, and so does a sandbox on this machine")
  func complete() async throws {
    #expect(try await faults() == [])
    #expect(Settings().startFaults == [])
  }

  @Test("compose.yaml sets only what the program reads, and names every image by its version")
  func compose() async throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(contentsOf: root.appending(path: "compose.yaml"), encoding: .utf8)
    let lines = text.matches(of: #/\n      (GATEHOUSE_[A-Z0-9_]+): (.+)/#)
    let variables = lines.map { line in
      let value = line.2.replacing(#/\$\{[A-Z_]+:\?[^}]*\}/#, with: "secret").filter { $0 != "\"" }
      return (String(line.1), String(value))
    }
    let settings = try await Settings.load(environment: Dictionary(uniqueKeysWithValues: variables), links: .all)
    #expect(variables.count == 8 && settings.unreadVariables == [])
    #expect(settings.databaseURL == "postgres://gatehouse:secret@database/gatehouse?sslmode=disable")
    #expect(settings.s3Credentials != nil && settings.startFaults.count == 1, "a sandbox is not to be public")
    let images = text.matches(of: #/\n    image: ([^\s:]+):(\S+)/#).map { String($0.2) }
    #expect(images.count == 5 && images.allSatisfy { $0 == "${IMAGE_TAG:-local}" || $0.contains(#/\d\.\d/#) })
  }

  @Test("a bare tenants file is refused with one list of everything that is missing")
  func everything() async throws {
    _ = try file()
    var settings = Settings()
    (settings.tenantsFile, settings.dataFolder) = (folder.file("tenants.json"), folder.file("data"))
    settings.evidence.tesseractFolder = folder.file("nothing")
    let refusal = try #require(throws: StartRefused.self) { try settings.requireStart() }
    #expect(
      refusal.faults.compactMap(\.waiver)
        == [.sms, .mail, .finapticURL, .oneAssistURL, .saltEdgeURL, .screening, .faces, .documents, .proxy])
    for fault in refusal.faults {
      #expect("\(refusal)".contains(fault.description))
      // Each tells what to do, and not only what is amiss.
      #expect(fault.sentence.contains(#/\b([Nn]ame|[Ss]et|[Ii]nstall) /#), "\(fault.sentence)")
    }
    #expect("\(refusal)".hasSuffix("is named in the setting waive, by the word behind \"waive:\"."))
    settings.waived = Set(refusal.faults.compactMap(\.waiver))
    #expect(settings.startFaults == [])
  }

  @Test(
    "each thing that is missing is a fault, and its waiver ends that fault alone",
    arguments: [
      ("sms.url", nil, "sms"), ("smtp.host", nil, "mail"), ("trustProxy", false, "proxy"), ("host", "0.0.0.0", "tls"),
      ("smtp.security", "off", "smtp.security"), ("saltedge.publicUrl", nil, "saltedge.publicUrl"),
      ("saltedge.publicUrl", "http://127.0.0.1:8080", "saltedge.publicUrl"),
      ("saltedge.publicUrl", "https://localhost", "saltedge.publicUrl"),
      ("saltedge.publicUrl", "https://sca.localhost", "saltedge.publicUrl"),
      ("saltedge.publicUrl", "https://LOCALHOST.", "saltedge.publicUrl"),
      ("saltedge.publicUrl", "https://127.8.8.8", "saltedge.publicUrl"),
      ("saltedge.publicUrl", "https://0.0.0.0", "saltedge.publicUrl"),
      ("saltedge.publicUrl", "https://[::0]", "saltedge.publicUrl"),
      ("oneassist.publicUrl", "https://[::ffff:0.0.0.0]", "oneassist.publicUrl"),
      ("saltedge.publicUrl", "https://ip6-localhost", "saltedge.publicUrl"),
      ("saltedge.publicUrl", "https://[::ffff:127.0.0.1]", "saltedge.publicUrl"),
      ("saltedge.publicUrl", "http://sca.bank.example", "saltedge.publicUrl"),
      ("oneassist.publicUrl", nil, "oneassist.publicUrl"), ("finaptic.publicUrl", nil, "finaptic.publicUrl"),
      ("console.publicUrl", "http://[::1]:1", "console.publicUrl"),
      ("webhooks.allowPrivate", true, "webhooks.allowPrivate"),
      ("screening.folder", nil, "screening"), ("screening.folder", "/nowhere", "screening"),
      ("screening.required", "UN,OFAC", "screening"), ("models", nil, "faces"),
    ] as [(String, (any Sendable)?, String)])
  func one(key: String, value: (any Sendable)?, waiver: String) async throws {
    // What means nothing without the setting goes with it.
    var changes: [String: Any?] = [key: value]
    if value == nil {
      if key == "smtp.host" { changes["smtp.sender.address"] = .some(nil) }
      if key == "screening.folder" { changes["screening.required"] = .some(nil) }
    }
    #expect(try await faults(changes).map(\.waiver?.rawValue) == [waiver])
    changes["waive"] = [waiver]
    #expect(try await faults(changes) == [])
  }

  @Test(
    "a list or a model without a byte, as a download that failed leaves it, is a fault",
    arguments: [
      ("lists/un.csv", StartFault.Waiver.screening), ("lists/eu.xml", .screening),
      ("models/face_recognition_sface_1.onnx", .faces),
    ])
  func empty(name: String, waiver: StartFault.Waiver) async throws {
    #expect(try await faults() == [])
    let settings = folder.file("settings.json")
    try Data().write(to: folder.url(name))
    var loaded = try await Settings.load(file: settings, environment: [:])
    loaded.evidence.tesseractFolder = folder.file("tessdata")
    #expect(loaded.startFaults.map(\.waiver) == [waiver])
    loaded.waived = [waiver]
    // A start would load the model all the same.
    #expect(loaded.startFaults.map(\.sentence.isEmpty) == (waiver == .faces ? [false] : []))
    #expect(loaded.startFaults.allSatisfy { $0.waiver == nil })
  }

  @Test(
    "a tenant that accepts specimens, or whose calls are joined at this machine, is a fault until that is waived",
    arguments: [
      (#""accepts_specimens":true"#, .specimens), (#""call_url":"https://localhost:8443/{room}""#, .calls),
      (#""call_url":"https://127.0.0.1/{room}""#, .calls), (#""call_url":"https://0.0.0.0/{room}""#, .calls),
      (#""call_url":"https://[::]/{room}""#, .calls), (#""call_url":"https://calls.bank.example/{room}""#, nil),
    ] as [(String, StartFault.Waiver?)])
  func ofTenant(member: String, waiver: StartFault.Waiver?) async throws {
    let settings = try file()
    let tenant = #"[{"id":"a","name":"A","host":"a.example","time_zone":"UTC",\#(member)}]"#
    try Data(tenant.utf8).write(to: folder.url("tenants.json"))
    var loaded = try await Settings.load(file: settings, environment: [:])
    loaded.evidence.tesseractFolder = folder.file("tessdata")
    let waivers = [waiver].compactMap { $0 }
    #expect(loaded.startFaults.map(\.waiver) == waivers)
    loaded.waived = Set(waivers)
    #expect(loaded.startFaults == [])
  }

  @Test("no public address that readers take for different things, with a password or without a port is taken")
  func addresses() async throws {
    for address in [
      "user:word@sca.bank.example", "user@sca.bank.example", "sca.bank.example/a b", "sca.bank.example/a|b",
      "sca.bank.example/%zz", "sca.bank.example/[a]", "büro.example", "sca.bank.example:0", "sca.bank.example:65536",
      "sca.bank.example:18446744073709560059", "127.1", "0", "0x0", "%6cocalhost", "a.example;127.0.0.1", "[a.example]",
      "a..example",
    ] {
      let error = await #expect(throws: SettingsError.self) {
        try await faults(["saltedge.publicUrl": "https://\(address)"])
      }
      let words = try #require(error).description
      #expect(words.hasPrefix("saltedge.publicUrl is") && words.contains("in ASCII"), "\(words)")
      #expect(!words.contains("word@"))
    }
  }

  @Test(
    "without the model of Latin script where the engine finds it a start is refused, unless documents are waived",
    arguments: [
      ("nothing.txt", nil, false), ("eng.traineddata", nil, false), ("Latin.traineddata", Data(), false),
      ("Latin.traineddata", Data("Not found".utf8), false), ("Latin.traineddata", modelHead, false),
      ("Latin.traineddata", nil, true), ("script/Latin.traineddata", nil, true),
    ])
  func documents(name: String, model: Data?, isFound: Bool) async throws {
    try write(model: model, to: "other", as: name)
    let found = try await faults(data: "other")
    #expect(found.map(\.waiver) == (isFound ? [] : [.documents]))
    #expect(found.allSatisfy { $0.description.contains("tesseract-ocr-script-latn") })
    #expect(try await faults(["waive": ["documents"]], data: "other") == [])
  }

  @Test(
    "an installation whose systems can send no text is refused, unless texts are waived",
    arguments: [
      (nil, ["finaptic", "oneassist"]), (#"{"finaptic-1": {"prefixes": ["1"]}}"#, ["oneassist"]),
      (#"{"finaptic/1": {"per_day": 5}, "oneassist/a": {"prefixes": ["1"]}}"#, ["finaptic"]),
      (#"{"finaptic/1": {"prefixes": []}, "oneassist/a": {"prefixes": ["1"]}}"#, ["finaptic"]),
      (#"{"finaptic/1": {"prefixes": ["1"]}, "oneassist/a": {"prefixes": ["all"]}}"#, []),
    ] as [(String?, [String])])
  func texts(tenants: String?, systems: [String]) async throws {
    var changes: [String: Any?] = ["sms.prefixes": nil]
    if let tenants {
      try Data(tenants.utf8).write(to: folder.url("sms.json"))
      changes["sms.tenants"] = folder.file("sms.json")
    }
    let found = try await faults(changes)
    #expect(found.allSatisfy { $0.waiver == nil } && found.count == systems.count)
    for (fault, system) in zip(found, systems) { #expect(fault.sentence.contains("tenants of \(system) can send")) }
    changes["waive"] = ["sms"]
    #expect(try await faults(changes) == [])
  }

  @Test("a key ring that others may read or exchange, a wrong clock and a broken tenants file cannot be waived")
  func unwaivable() async throws {
    let all = StartFault.Waiver.allCases.map(\.rawValue)
    #expect(try await faults(["clock.skew": 5, "waive": all]).map(\.waiver) == [nil])
    try FileManager.default.createDirectory(atPath: folder.file("data/keys"), withIntermediateDirectories: true)
    let ring = folder.file("data/keys/keyring.json")
    _ = try Keyring(path: ring, world: .live)
    for (mode, isRefused) in [(0o644, true), (0o640, true), (0o604, true), (0o600, false), (0o400, false)] {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: ring)
      #expect(try await faults(["waive": all]).isEmpty == !isRefused, "\(String(mode, radix: 8))")
    }
    for (mode, isRefused) in [(0o777, true), (0o702, true), (0o1777, false), (0o755, false), (0o700, false)] {
      #expect(chmod(folder.file("data/keys"), mode_t(mode)) == 0)
      #expect(try await faults(["waive": all]).isEmpty == !isRefused, "\(String(mode, radix: 8))")
    }
    // What a start could not read is told here, too.
    let another = folder.file("another.json")
    try Data("{}".utf8).write(to: URL(fileURLWithPath: another))
    let told = try await faults(["keyring": another, "epochKey": another, "waive": all]).map(\.sentence)
    #expect(told.contains("\(KeyringError.unreadable(path: another))"))
    #expect(told.contains("\(EpochKeyError.unreadable(path: another))"))
    // Of a link, who can exchange the link.
    try FileManager.default.createDirectory(atPath: folder.file("open"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: folder.file("open/ring.json"), withDestinationPath: ring)
    for (mode, isRefused) in [(0o777, true), (0o1777, false)] {
      #expect(chmod(folder.file("open"), mode_t(mode)) == 0)
      let found = try await faults(["keyring": folder.file("open/ring.json"), "waive": all])
      #expect(found.isEmpty == !isRefused, "\(String(mode, radix: 8))")
    }
    #expect(try await faults(["tenants": folder.file("nowhere.json"), "waive": all]).map(\.waiver) == [nil])
    await #expect(throws: SettingsError.self) { try await faults(["waive": ["everything"]]) }
  }

  @Test("a file of the token's PIN that others may read or exchange is refused like the key ring")
  func pinFile() async throws {
    let pin = folder.file("pins/pin")
    try FileManager.default.createDirectory(atPath: folder.file("pins"), withIntermediateDirectories: true)
    try Data("1234\n".utf8).write(to: URL(fileURLWithPath: pin))
    let token: [String: Any?] = ["kms.module": "/nowhere.so", "kms.token": "t", "kms.key": "k"]
    func faults(_ setting: String, _ value: String) async throws -> [String] {
      // There is no such module, which is told, too.
      try await self.faults(token.merging([setting: value]) { $1 }).map(\.sentence).filter { !$0.contains("nowhere") }
    }
    for mode in [0o644, 0o640, 0o604] {
      #expect(chmod(pin, mode_t(mode)) == 0)
      let text = String(mode, radix: 8)
      #expect(
        try await faults("kms.pinFile", pin)
          == ["\(pin) has the mode \(text): the PIN of the HSM is for its owner only: chmod 600 \(pin)"])
      #expect(try await faults("kms.pin", "1234") == [])
    }
    // A link has every mode; its target counts, and who can exchange either.
    let link = folder.file("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: pin)
    #expect(try await faults("kms.pinFile", link).count == 1)
    for mode in [0o600, 0o400] {
      #expect(chmod(pin, mode_t(mode)) == 0)
      for path in [pin, link] { #expect(try await faults("kms.pinFile", path) == []) }
    }
    #expect(chmod(folder.file("pins"), 0o777) == 0)
    for path in [pin, link] {
      let told = try await faults("kms.pinFile", path)
      #expect(told.count == 1 && told[0].contains("who could exchange the PIN of the HSM"))
    }
    #expect(chmod(folder.file("pins"), 0o700) == 0)
    // `config check` and a start say the same.
    #expect(chmod(pin, 0o644) == 0)
    let settings = try await Settings.load(file: file(token.merging(["kms.pinFile": pin]) { $1 }), environment: [:])
    #expect("\(try #require(throws: StartRefused.self) { try settings.requireStart() })".contains("the PIN of the HSM"))
  }

  @Test(
    "a sandbox listens to other machines only when it is told to",
    arguments: ["0.0.0.0", "::", "192.0.2.1", "box", "[::]", "127.0.0.1 192.0.2.1"])
  func sandbox(host: String) throws {
    for listener in [\Settings.host, \.operations.host] {
      var settings = Settings()
      settings[keyPath: listener] = host
      #expect(throws: StartRefused.self) { try settings.requireStart() }
      settings.isPublicSandbox = true
      try settings.requireStart()
    }
  }

  @Test("the command lists the same, and leaves with 1")
  func command() async throws {
    // Where Tesseract's data are is no setting of the file: the package need not be on this machine.
    let whole = try file(["waive": ["documents"]])
    let lacking = try file(["models": nil, "waive": ["documents"]], named: "lacking.json")
    try await ConfigCommand.Check.parse(["--config", whole]).run()
    await #expect(throws: ExitCode.self) { try await ConfigCommand.Check.parse(["--config", lacking]).run() }
    await #expect(throws: StartRefused.self) { try await Serve.parse(["--config", lacking]).run() }
    await #expect(throws: StartRefused.self) { try await Work.parse(["--config", lacking]).run() }
    await #expect(throws: StartRefused.self) {
      try await Serve.parse(["--data", folder.file("data"), "--host", "0.0.0.0"]).run()
    }
    #expect(!FileManager.default.fileExists(atPath: folder.file("data/gatehouse.sqlite")))
  }
}
