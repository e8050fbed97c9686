// SPDX-License-Identifier: Apache-2.0

import Configuration
import Evidence
import Foundation
import Kit
import Synchronization
import TestSupport
import Testing

@testable import GatehouseApp

@Suite("Settings: what is misspelt stops the start", .storeless)
struct SettingsAccessReporterTests {
  private static func load(_ text: String, _ flags: [String: ConfigValue] = [:]) async throws -> Settings {
    let folder = try TestFolder()
    let file = folder.file("settings.json")
    try Data(text.utf8).write(to: URL(filePath: file))
    return try await Settings.load(flags: flags, file: file)
  }

  @Test(
    "a file is refused for an unknown name, which the error contains",
    arguments: [
      (#"{"tenantz": "tenants.json"}"#, "tenantz"),
      (#"{"console": {"publicURL": "https://a.example"}}"#, "console.publicURL"),
      (#"{"port": 8081, "smtp": {"port": 25}}"#, "smtp.port"),
      (#"{"drain": {"limitSeconds": 5, "x": {"y": 1}}}"#, "drain.x.y"),
    ])
  func unread(text: String, name: String) async throws {
    let error = await #expect(throws: SettingsError.self) { try await Self.load(text) }
    #expect(error?.description.hasSuffix("others: \(name)") == true, "\(error?.description ?? "")")
  }

  @Test("what is not of its kind is refused, from wherever it comes, and not told")
  func kinds() async throws {
    for text in [#"{"port": "s3cret"}"#, #"{"trustProxy": "s3cret"}"#, #"{"database": {"connections": 1.5}}"#] {
      let error = await #expect(throws: SettingsError.self, "\(text)") { try await Self.load(text) }
      #expect(error?.description.contains("s3cret") == false)
    }
    let flags = ["port": ConfigValue(.string("s3cret"), isSecret: false)]
    let error = await #expect(throws: SettingsError.self) { try await Settings.load(flags: flags) }
    #expect(error?.description == "port has to be a whole number")
  }

  @Test(
    "a value that cannot be meant is refused by the name of its setting, and not told",
    arguments: [
      (#"{"port": 99999}"#, "port is between 0 and 65535"), (#"{"port": -1}"#, "port is between 0 and 65535"),
      (#"{"operations": {"port": 70000}}"#, "operations.port is between 0 and 65535"),
      (
        #"{"smtp": {"host": "m", "port": 0, "sender": {"address": "a@b.example"}}}"#,
        "smtp.port is between 1 and 65535"
      ),
      (#"{"data": ""}"#, "data is the path of a folder"),
      (
        #"{"database": {"url": ""}}"#, "database.url is no URL of PostgreSQL such as postgres://user@host/database"
      ),
      (#"{"log": "s3cret"}"#, "log is trace, debug, info, warning or error"),
      (
        #"{"database": {"url": "mysql://s3cret@h/d"}}"#,
        "database.url is no URL of PostgreSQL such as postgres://user@host/database"
      ),
      (#"{"sms": {"url": "https://s3cret.example/"}}"#, "sms.url and sms.body have no placeholder {to}"),
      (
        #"{"sms": {"url": "http://s3cret.example/{to}/{text}"}}"#,
        "sms.url begins with https:// unless the gateway is this machine"
      ),
    ])
  func values(text: String, words: String) async throws {
    let error = await #expect(throws: SettingsError.self) { try await Self.load(text) }
    #expect(error?.description == words)
  }

  @Test(
    "settings that say something against one another, or mean nothing alone, are refused by their names",
    arguments: [
      (
        #"{"evidence": {"document": {"sharpnessMin": 30, "sharpnessWarn": 20}}}"#,
        "evidence.document.sharpnessMin is not above evidence.document.sharpnessWarn"
      ),
      (
        #"{"evidence": {"face": {"sharpnessWarn": 7}}}"#,
        "evidence.face.sharpnessMin is not above evidence.face.sharpnessWarn"
      ),
      (
        #"{"evidence": {"document": {"widthWarn": 599}}}"#,
        "evidence.document.widthMin is not above evidence.document.widthWarn"
      ),
      (
        #"{"evidence": {"document": {"zoneGlareMax": 0.02}}}"#,
        "evidence.document.zoneGlareMax is not above evidence.document.glareMax"
      ),
      (#"{"evidence": {"concurrency": 0}}"#, "evidence.concurrency is at least 1"),
      (
        #"{"http": {"connections": 100, "connectionsOfNetwork": 101}}"#,
        "http.connectionsOfNetwork is not above http.connections"
      ),
      (
        #"{"http": {"ownNetworks": ["192.0.2.0/24", "10.1.0.0/8"]}}"#,
        "http.ownNetworks is networks such as 192.0.2.0/24, without bits behind their length"
      ),
      (
        #"{"webhooks": {"networks": ["10.20.0.0/16", "10.1.0.0/8"]}}"#,
        "webhooks.networks is networks such as 10.20.0.0/16, without bits behind their length"
      ),
      (
        #"{"webhooks": {"networks": ["169.254.0.0/16"]}}"#,
        "webhooks.networks names what is never called: this machine, a link, or a cloud's metadata"
      ),
      (#"{"health": {"anchorAgeHours": 2}}"#, "health.anchorAgeHours needs audit.anchors"),
      (#"{"audit": {"accessKeyId": "s3cret"}}"#, "audit.accessKeyId and audit.secretAccessKey are set together"),
      (#"{"audit": {"secretAccessKey": "s3cret"}}"#, "audit.accessKeyId and audit.secretAccessKey are set together"),
      (#"{"s3": {"secretAccessKey": "s3cret"}}"#, "s3.accessKeyId and s3.secretAccessKey are set together"),
      (#"{"s3": {"sessionToken": "s3cret"}}"#, "s3.sessionToken needs s3.accessKeyId and s3.secretAccessKey"),
      (
        #"{"smtp": {"host": "m", "user": "s3cret", "sender": {"address": "a@b.example"}}}"#,
        "smtp.user and smtp.password are set together"
      ),
      (
        #"{"smtp": {"host": "m", "sender": {"address": "a@b.example"}, "dkim": {"selector": "s3cret"}}}"#,
        "smtp.dkim.selector and smtp.dkim.domain need smtp.dkim.keyFile"
      ),
      (
        #"{"port": 9000, "operations": {"port": 9000}}"#,
        "operations.port is another one than port, where they listen at one address"
      ),
      (
        #"{"host": "0.0.0.0", "port": 9000, "operations": {"port": 9000}}"#,
        "operations.port is another one than port, where they listen at one address"
      ),
      (#"{"screening": {"partner": "s3cret"}}"#, "screening.partner is user:password"),
      (#"{"registration": {"limitFactor": 0}}"#, "registration.limitFactor is between 1 and 1000000"),
      (
        #"{"powerauth": {"limitFactor": 9223372036854775807}}"#,
        "powerauth.limitFactor is between 1 and 1000000"
      ),
      (
        #"{"calls": {"recorder": "https://s3cret.example"}}"#,
        "the recorder of calls needs an https address in calls.recorder, a secret such as whsec_… in "
          + "calls.recorderSecret, and 1 to 3650 in calls.recordingDays"
      ),
    ])
  func together(text: String, words: String) async throws {
    let error = await #expect(throws: SettingsError.self) { try await Self.load(text) }
    #expect(error?.description == words)
  }

  @Test("what an operator named moves the standard value of what belongs to it")
  func moved() async throws {
    let settings = try await Self.load(
      #"{"http": {"connections": 100}, "evidence": {"document": {"glareMax": 0.001, "sharpnessMin": 80}}}"#)
    #expect(settings.operations.connections.ofNetworkMax == 100)
    let documents = settings.evidence.documentThresholds
    #expect(documents.zoneGlareMax == 0.001 && documents.sharpnessWarn == 80)
    let apart = #"{"host": "192.0.2.1", "port": 9000, "operations": {"host": "127.0.0.1", "port": 9000}}"#
    #expect(try await Self.load(apart).port == 9000)
  }

  @Test("a file that is no JSON object, or a folder, is refused by its path")
  func files() async throws {
    for text in [#"{"port": 8080"#, "", "[8080]"] {
      let error = await #expect(throws: SettingsError.self, "\(text)") { try await Self.load(text) }
      #expect(error?.description.hasSuffix("is not one JSON object: look for a comma, a quote or a bracket") == true)
    }
    let folder = try TestFolder()
    let error = await #expect(throws: SettingsError.self) { try await Settings.load(file: folder.path) }
    #expect(error?.description == "\(folder.path) is a folder, and the settings are one JSON file")
  }

  @Test("a variable that no setting reads is named; those of other programs are no reason not to start")
  func variables() async throws {
    let settings = try await Settings.load(environment: [
      "GATEHOUSE_TENANTZ": "t.json", "GATEHOUSE_DRAIN_GRACE_SECONDS": "3", "GATEHOUSE_DATABASE_URL": "postgres://h/d",
      "GATEHOUSE_SMTP_PORT": "25", "GATEHOUSES": "x", "PATH": "/bin", "GATEHOUSE_EPOCH_KEY": "k",
      "GATEHOUSE_CASEWORK_MINUTES_RUBIX_CALL": "20",
      // Read by none: the library puts `_` at each hump.
      "GATEHOUSE_EPOCHKEY": "k",
    ])
    #expect(settings.unreadVariables == ["GATEHOUSE_EPOCHKEY", "GATEHOUSE_SMTP_PORT", "GATEHOUSE_TENANTZ"])
    #expect(settings.operations.drainGrace == .seconds(3))
    // `config check` tells them too, for nothing else does before the start.
    #expect(settings.startWarnings.map { $0.contains("is it misspelt?") } == [true, true, true])
  }

  @Test("what a selfie is refused for is set apart from documents, and a selfie that is taken can be compared")
  func selfies() async throws {
    let face = "GATEHOUSE_EVIDENCE_FACE_"
    let settings = try await Settings.load(environment: [
      face + "EYES_MIN": "80", face + "SHARPNESS_MIN": "30", face + "BRIGHTNESS_MIN": "20",
    ])
    #expect(settings.evidence.selfieEyesMin == 80 && settings.faceThresholds.selfieEyesMin == 80)
    let selfies = settings.evidence.faceThresholds
    #expect(selfies.sharpnessFail == 30 && selfies.sharpnessWarn == 30 && selfies.brightnessFail == 20...240)
    #expect(settings.evidence.documentThresholds.sharpnessFail == QualityThresholds.document.sharpnessFail)
    let error = await #expect(throws: SettingsError.self) {
      try await Settings.load(environment: [face + "BRIGHTNESS_MIN": "220"])
    }
    #expect(error?.description == "evidence.face.brightnessMin is not above evidence.face.brightnessMax")
  }

  @Test("what a picture is refused for and what it is only told have bounds of their own")
  func bounds() async throws {
    let document = "GATEHOUSE_EVIDENCE_DOCUMENT_"
    let chosen = try await Settings.load(environment: [
      document + "BRIGHTNESS_FAIL_MIN": "50", document + "BRIGHTNESS_FAIL_MAX": "210",
      document + "SHARPNESS_WARN": "90", document + "WIDTH_WARN": "1200",
      "GATEHOUSE_EVIDENCE_FACE_BRIGHTNESS_FAIL_MAX": "220",
    ]).evidence
    #expect(chosen.documentThresholds.brightness == 60...200 && chosen.documentThresholds.brightnessFail == 50...210)
    #expect(chosen.documentThresholds.sharpnessWarn == 90 && chosen.documentThresholds.subjectWidthWarn == 1200)
    #expect(chosen.faceThresholds.brightnessFail == 30...220)
    let error = await #expect(throws: SettingsError.self) {
      try await Settings.load(environment: [document + "BRIGHTNESS_FAIL_MIN": "70"])
    }
    #expect(
      error?.description
        == "evidence.document.brightnessFailMin and brightnessFailMax enclose brightnessMin and brightnessMax")
  }

  @Test("a setting that was named is known with where it was, and no text of it is")
  func decided() async throws {
    let text = #"{"port": 8081, "database": {"url": "postgres://u:s3cret@h/d"}, "console": {"publicUrl": "https://a"}}"#
    let settings = try await Self.load(text, ["port": ConfigValue(.int(8082), isSecret: false)])
    let named = settings.decided.filter { ["console.publicUrl", "database.url", "port", "host"].contains($0.name) }
    #expect(
      named == [
        .init(name: "console.publicUrl", value: nil, origin: .file),
        .init(name: "database.url", value: nil, origin: .file), .init(name: "port", value: "8082", origin: .flag),
      ])
  }

  @Test("the default that a page gives a setting is the program's")
  func defaults() throws {
    let standards = Standards()
    _ = try Settings(
      ConfigReader(providers: [InMemoryProvider(name: "none", values: [:])], accessReporter: standards), App.product)
    var (compared, wrong) = (0, [String]())
    let folder = DocumentedCommandTests.root.appending(path: "docs/operations")
    for page in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
      var header: [String] = []
      let text = try String(contentsOf: page, encoding: .utf8)
      for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        let cells = line.split(separator: "|", omittingEmptySubsequences: false)
          .map { $0.trimmingCharacters(in: .whitespaces) }
        if cells.count < 3 || header.isEmpty { header = cells.count < 3 ? [] : cells }
        guard let index = header.firstIndex(of: "default"), cells.indices.contains(index) else { continue }
        let names = cells[1].matches(of: /`([A-Za-z0-9.]+)`/).map { String($0.1) }
        let values = Self.values(in: cells[index])
        for (name, value) in zip(names, values.count == 1 ? names.map { _ in values[0] } : values) {
          guard let standard = standards.isValue(value, of: name) else { continue }
          compared += 1
          if !standard { wrong.append("\(page.lastPathComponent): \(name) \(value)") }
        }
      }
    }
    #expect(compared > 60)
    #expect(wrong == [])
  }

  /// Values as they are written in JSON; what is told in words is not compared.
  private static func values(in cell: String) -> [String] {
    let found = cell.components(separatedBy: ", ").map { part in
      part.wholeMatch(of: /`([^`]+)`|([0-9.]+|true|false)/).map { String($0.1 ?? $0.2 ?? "") }
    }
    return found.contains(nil) ? [] : found.compactMap(\.self)
  }

  /// What each setting is where no source names it.
  private final class Standards: AccessReporter {
    private let seen = Mutex<[String: ConfigContent]>([:])

    func report(_ event: AccessEvent) {
      guard case .success(let value?) = event.result else { return }
      seen.withLock { $0[event.metadata.key.description] = value.content }
    }

    /// Nil for a setting that has no default.
    func isValue(_ text: String, of name: String) -> Bool? {
      switch seen.withLock({ $0[name] }) {
      case .int(let number)?: Double(text) == Double(number)
      case .double(let number)?: Double(text) == number
      case .bool(let flag)?: text == "\(flag)"
      case .string(let words)?: text == words
      default: nil
      }
    }
  }

  @Test("a trusted proxy has a header: clients can send the other one, so that it is never guessed")
  func proxy() async throws {
    for text in [#"{"trustProxy": true}"#, #"{"trustProxy": true, "proxyHeader": "via"}"#, #"{"proxyHeader": ""}"#] {
      await #expect(throws: SettingsError.self, "\(text)") { try await Self.load(text) }
    }
    let named = try await Self.load(#"{"trustProxy": true, "proxyHeader": "Forwarded"}"#)
    #expect(named.proxyHeader == .forwarded)
    #expect(try await Self.load(#"{"proxyHeader": "forwarded"}"#).proxyHeader == nil)
  }

  @Test("what is spelt right is read, also beside what a flag says")
  func right() async throws {
    let text = #"{"port": 8081, "drain": {"graceSeconds": 5}, "database.connections": 3, "host": "0.0.0.0"}"#
    let settings = try await Self.load(text, ["host": ConfigValue(.string("127.0.0.1"), isSecret: false)])
    #expect(settings.port == 8081 && settings.databaseConnections == 3 && settings.host == "127.0.0.1")
  }

  @Test("a file of tenants has each of them once, and one at least")
  func tenants() async throws {
    let one = #"{"id": "a", "name": "A", "host": "a.example", "time_zone": "UTC"}"#
    let folder = try TestFolder()
    for (number, text) in ["[]", "[\(one), \(one)]", "[\(one)]"].enumerated() {
      let file = folder.file("tenants-\(number).json")
      try Data(text.utf8).write(to: URL(filePath: file))
      var settings = Settings()
      settings.tenantsFile = file
      if number == 2 {
        #expect(try settings.tenants().all.map(\.id) == ["a"])
      } else {
        #expect(throws: SettingsError.self) { try settings.tenants() }
      }
    }
  }

  @Test(
    "a fault in a file of tenants is told by entry and member, and never by what stands there",
    arguments: [
      ("[", "it is no JSON"), ("{}", "it is of another kind"), ("[5]", "entry 1 is of another kind"),
      (#"[{"id": "a", "name": "A", "host": "a.example"}]"#, "entry 1.time_zone is missing"),
      (#"[{"id": "a", "name": null}]"#, "entry 1.name is of another kind"),
      (#"[{"id": 5}]"#, "entry 1.id is of another kind"),
      (
        #"[{"id": "a", "name": "A", "host": "a.example", "time_zone": "Mars/Olympus"}]"#,
        "entry 1.time_zone: this machine knows no time zone of that name"
      ),
      (
        #"[{"id": "a", "name": "A", "host": "a.example", "time_zone": "UTC", "registration_requires": ["x"]}]"#,
        "entry 1.registration_requires.entry 1 is of another kind"
      ),
    ])
  func tenantFaults(text: String, fault: String) throws {
    let folder = try TestFolder()
    let file = folder.file("tenants.json")
    try Data(text.utf8).write(to: URL(filePath: file))
    var settings = Settings()
    settings.tenantsFile = file
    let error = #expect(throws: SettingsError.self) { try settings.tenants() }
    #expect(error?.description == "the tenants file \(file) is not an array of tenants: \(fault)")
  }
}
