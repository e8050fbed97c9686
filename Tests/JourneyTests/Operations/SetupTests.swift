// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import Identity
import Kit
import RubixFlow
import ServerTLS
import Storage
import TestSupport
import Testing

@testable import GatehouseApp
@testable import gatehouse

@Suite("Operations: the setup of an installation (issue 30)", .storeless)
struct SetupTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  /// Answers that lack nothing but what a machine of tests has not.
  private static var answers: [String: Any] {
    [
      "institution": ["name": "Example \"Bank\"", "timeZone": "Asia/Kuwait", "servedPrefixes": ["965"]],
      "host": "app.bank.example", "consoleHost": "console.bank.example",
      "mail": [
        "host": "mail.bank.example", "user": "codes", "password": "mail hunter2",
        "sender": ["name": "Example Bank", "address": "codes@bank.example"],
      ],
      "texts": ["url": "https://sms.example/send?to={to}&text={text}", "authorization": "Bearer hunter2"],
      "administrator": ["name": "Aya Salem", "email": "aya@bank.example", "gender": "F"],
      "waive": ["faces", "documents"],
    ]
  }

  private func file(_ answers: [String: Any]) throws -> String {
    let path = folder.file("answers.json")
    try JSONSerialization.data(withJSONObject: answers).write(to: URL(fileURLWithPath: path))
    return path
  }

  private func setup(_ answers: [String: Any] = Self.answers, _ more: [String] = []) async throws {
    try await SetupCommand.parse(
      ["--answers", try file(answers), "--to", folder.file("etc"), "--data", folder.file("data")] + more
    ).run()
  }

  private func settings() async throws -> Settings {
    try await Settings.load(file: folder.file("etc/gatehouse.json"), environment: [:])
  }

  @Test("answers become settings without a fault, and the files of secrets are not for everybody")
  func files() async throws {
    try await setup(Self.answers, ["--files-only"])
    let settings = try await settings()
    #expect(settings.startFaults.isEmpty && !settings.isSandbox)
    #expect(settings.consoleAddress == "https://console.bank.example")
    let tenant = try #require(try settings.tenants().all.first)
    #expect(tenant.name == "Example \"Bank\"" && tenant.servedPrefixes == ["965"] && !tenant.acceptsSpecimens)
    #expect(!FileManager.default.fileExists(atPath: folder.file("data")))
    for (name, mode) in [("gatehouse.json", 0o640), ("tenants.json", 0o644), ("nginx.conf", 0o644)] {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.file("etc/\(name)"))
      #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == mode, "\(name)")
    }
    let proxy = try String(contentsOfFile: folder.file("etc/nginx.conf"), encoding: .utf8)
    #expect(proxy.contains("server_name app.bank.example console.bank.example;") && !proxy.contains("hunter2"))
  }

  @Test("what keeps the server from starting ends the setup before anything is made")
  func missing() async throws {
    var answers = Self.answers
    answers["texts"] = nil
    await #expect(throws: (any Error).self) { try await setup(answers) }
    #expect(!FileManager.default.fileExists(atPath: folder.file("data")))
  }

  @Test("a configuration with customers is written over only when asked, the one of a package always")
  func replacing() async throws {
    try FileManager.default.createDirectory(atPath: folder.file("etc"), withIntermediateDirectories: true)
    try Data(#"{"data": "/var/lib/gatehouse", "port": 8080}"#.utf8).write(to: folder.url("etc/gatehouse.json"))
    try await setup(Self.answers, ["--files-only"])
    await #expect(throws: Problem.self) { try await setup(Self.answers, ["--files-only"]) }
    try await setup(Self.answers, ["--files-only", "--replace"])
  }

  @Test("answers that lack something change no file, with --replace too; what is written over is kept beside it")
  func kept() async throws {
    let names = ["gatehouse.json", "tenants.json", "nginx.conf"]
    func texts() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: folder.file("etc")).sorted()
        .map { "\($0) \(try String(contentsOf: folder.url("etc/\($0)"), encoding: .utf8))" }
    }
    try await setup(Self.answers, ["--files-only"])
    let before = try texts()
    #expect(before.count == names.count)
    var answers = Self.answers
    answers["host"] = "other.bank.example"
    answers["texts"] = nil
    await #expect(throws: (any Error).self) { try await setup(answers, ["--files-only", "--replace"]) }
    #expect(try texts() == before)
    answers["texts"] = Self.answers["texts"]
    try await setup(answers, ["--files-only", "--replace"])
    let after = try texts()
    for name in names {
      let old = try #require(before.first { $0.hasPrefix("\(name) ") }).dropFirst(name.count)
      #expect(after.contains("\(name).before\(old)") && !after.contains("\(name)\(old)"), "\(name)")
    }
    // A later replacement keeps what was kept. What is kept already has no second copy.
    for (host, copies) in [("third.bank.example", 2), ("other.bank.example", 3), ("third.bank.example", 3)] {
      answers["host"] = host
      try await setup(answers, ["--files-only", "--replace"])
      let (now, files) = (try texts(), try FileManager.default.contentsOfDirectory(atPath: folder.file("etc")))
      #expect(after.filter { $0.contains(".before ") }.allSatisfy(now.contains), "\(host)")
      #expect(files.filter { $0.hasPrefix("gatehouse.json.before") }.count == copies, "\(files)")
    }
    // An operator's file beside the package's own settings is not written over either.
    try Data(#"{"port": 8080}"#.utf8).write(to: folder.url("etc/gatehouse.json"))
    try Data("own".utf8).write(to: folder.url("etc/nginx.conf"))
    let error = await #expect(throws: Problem.self) { try await setup(answers, ["--files-only"]) }
    #expect(error?.detail.contains("nginx.conf is there") == true)
    #expect(try String(contentsOf: folder.url("etc/nginx.conf"), encoding: .utf8) == "own")
  }

  @Test(
    "answers that are misspelt, missing or no host are refused by their name, and no value is told",
    arguments: [
      ("hosst", #""x.example""#, "hosst"), ("host", #""app.bank.example;\nroot /;""#, "host"),
      ("host", #""localhost""#, "host is"), ("consoleHost", #""größe.example""#, "consoleHost is"),
      ("mail", #""hunter2""#, "mail"),
      ("institution", #"{"name": "hunter2"}"#, "institution"),
      ("institution", #"{"name": "B", "timeZone": "Mars/hunter2", "servedPrefixes": ["1"]}"#, "timeZone"),
      ("institution", #"{"name": "B", "timeZone": "UTC", "servedPrefixes": ["+49"]}"#, "servedPrefixes"),
    ])
  func refused(name: String, json: String, told: String) throws {
    var answers = Self.answers
    answers[name] = try JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed)
    let error = #expect(throws: SettingsError.self) { try SetupPlan(file: file(answers)) }
    let text = error.map { "\($0)" } ?? ""
    #expect(text.contains(told) && !text.contains("hunter2"), "\(text)")
  }

  @Test("a person is asked for everything, again where an answer is needed, and may leave out the rest")
  func questions() throws {
    var (asked, hidden): ([String], [String]) = ([], [])
    func answered(_ first: [String], _ later: [String: String]) throws -> SetupPlan {
      var lines = first
      return try SetupQuestions { question, isSecret in
        asked.append(question)
        if isSecret { hidden.append(String(question.prefix(10))) }
        if !lines.isEmpty { return lines.removeFirst() }
        if let answer = later.first(where: { question.hasPrefix($0.key) }) { return answer.value }
        return question.hasPrefix("Full name")
          ? "Aya Salem"
          : question.contains("e-mail")
            ? "aya@bank.example"
            : question == "M or F" ? "F" : ""
      }.plan()
    }
    let names = ["Example Bank", "Asia/Kuwait", "965, 971", "", "app.bank.example", ""]
    var open = try answered(
      names + ["none", "/etc/tls.pem", "tls.key", ""],
      [
        "Bucket": "s3://a", "Access": "a", "Secret": "b", "SMTP": "mail.example", "Its user": "codes",
        "Its password": "c", "Sender's": "codes@bank.example", "SMS": "https://sms.example/{to}{text}",
        "Its header": "d",
      ])
    #expect(hidden == ["PostgreSQL", "Secret acc", "Its passwo", "Its header"])
    #expect(open.tls == .init(certificate: "/etc/tls.pem", key: "tls.key") && open.mail?.password == "c")
    let files = try open.files(in: "/etc/gatehouse", data: "/data")
    #expect(files.map(\.name) == ["gatehouse.json", "tenants.json"])
    #expect(files[0].text.contains(": 8443") && !files[0].text.contains("trustProxy"))
    #expect(files[0].text.components(separatedBy: "\"https://app.bank.example:8443\"").count == 5)
    let key = "\(FileManager.default.currentDirectoryPath)/tls.key"
    #expect(files[0].text.contains("\"\(key)\"") && files[0].text.contains("includeSubDomains"))
    open.proxy = .nginx
    let proxied = open
    #expect(throws: SettingsError.self) { try proxied.check() }
    asked = []
    let plan = try answered(names + ["apache", "caddy"], [:])
    #expect(plan.institution.servedPrefixes == ["965", "971"] && plan.host == "app.bank.example")
    #expect(plan.proxy == .caddy && plan.database == nil && plan.administrator?.email == "aya@bank.example")
    #expect(plan.waive == ["mail", "sms", "faces"])
    #expect(asked.count { $0.hasPrefix("Host by which apps") } == 2)
  }

  @Test("a path in a command that is to be copied is one word of the shell")
  func words() {
    #expect(SetupCommand.shellWord("/etc/gatehouse/gatehouse.json") == "/etc/gatehouse/gatehouse.json")
    #expect(SetupCommand.shellWord("/srv/two words/a'b.json") == #"'/srv/two words/a'\''b.json'"#)
  }

  @Test("a gateway that is away ends the setup with what to do next, and a repetition adds the administrator")
  func gatewayAway() async throws {
    var answers = Self.answers
    // The port of `discard`, where a machine of tests listens to nothing.
    answers["texts"] = ["url": "http://127.0.0.1:9/send?to={to}&text={text}"]
    let error = await #expect(throws: Problem.self) { try await setup(answers, ["--test-text", "+96550009999"]) }
    #expect(error?.detail.contains("did not go: unreachable. Look at sms ") == true, "\(error?.detail ?? "")")
    #expect(error?.detail.contains("--replace") == true && error?.detail.contains("5000") == false)
    try await setup(answers, ["--replace"])
    let app = try await App.open(try await settings(), logger: try await settings().logger("setup"))
    #expect(try await app.staff.list(tenant: "default").map(\.email) == ["aya@bank.example"])
  }

  @Test("the store, the keys and one administrator are made, and made once")
  func makes() async throws {
    try await setup()
    let settings = try await settings()
    #expect(FileManager.default.fileExists(atPath: settings.keyringPath))
    try await setup(Self.answers, ["--replace"])
    let app = try await App.open(settings, logger: settings.logger("setup"))
    let members = try await app.staff.list(tenant: "default")
    #expect(members.map(\.email) == ["aya@bank.example"] && members.first?.permissions == [.manageStaff])
  }

  @Test(
    "with --json nothing is asked, and what was done is one document, also when it was refused",
    .enabled(if: ServedProcess.program != nil, "\(ServedProcess.missing)"), .timeLimit(.minutes(2)))
  func document() async throws {
    func told(_ answers: [String: Any], _ more: [String] = []) throws -> (exit: Int32, document: [String: Any]) {
      let process = ChildProcess()
      process.executableURL = ServedProcess.program
      process.arguments =
        ["setup", "--json", "--answers", try file(answers), "--to", folder.file("etc"), "--data", folder.file("data")]
        + more
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      return (process.terminationStatus, try JSONSerialization.jsonObject(with: bytes) as? [String: Any] ?? [:])
    }
    var lacking = Self.answers
    lacking["texts"] = nil
    let refused = try told(lacking)
    #expect(refused.exit == 1 && (refused.document["faults"] as? [String])?.count == 1)
    #expect(refused.document["files"] as? [String] == [] && refused.document["keyring"] == nil)
    let made = try told(Self.answers)
    #expect(made.exit == 0 && made.document["faults"] as? [String] == [])
    #expect((made.document["files"] as? [String])?.first == folder.file("etc/gatehouse.json"))
    #expect(made.document["keyring"] as? String == folder.file("data/keys/keyring.json"))
    let first = made.document["administrator"] as? [String: String]
    #expect(first?["address"] == "https://console.bank.example/console" && first?["email"] == "aya@bank.example")
    #expect(first?["password"]?.isEmpty == false && first?["enrolment_code"]?.isEmpty == false)
    let again = try told(Self.answers, ["--replace"])
    #expect(again.exit == 0 && again.document["administrator"] == nil)
    let asking = try SetupCommand.parse(["--json", "--to", folder.file("none")])
    let error = await #expect(throws: (any Error).self) { try await asking.run() }
    #expect(try FailureReport(#require(error)).exit == .usage)
    #expect(!FileManager.default.fileExists(atPath: folder.file("none")))
  }

  @Test("the doctor tells the state of an installation, and neither a secret nor a value of a setting")
  func doctor() async throws {
    try await setup()
    let settings = try await settings()
    let diagnosis = await settings.diagnose(
      file: folder.file("etc/gatehouse.json"), environment: ["GATEHOUSE_S3_SECRET_ACCESS_KEY": "hunter2"])
    #expect(!diagnosis.hasFaults, "\(diagnosis.text)")
    for told in [
      "smtp.password", "GATEHOUSE_S3_SECRET_ACCESS_KEY", "opens every data key", "goes without: faces",
      "effects parked: 0", "schema: current", "in the store: none", "checkpoints of the audit log: not anchored",
      "failing jobs", "version: 3.",
    ] { #expect(diagnosis.text.contains(told), "\(told)") }
    let everything = String(decoding: try JSONEncoder().encode(diagnosis), as: UTF8.self)
    for secret in ["hunter2", "sms.example", "mail.bank.example", "aya@bank.example"] {
      #expect(!everything.contains(secret), "\(secret)")
    }
  }

  @Test("the doctor says what is wrong with the key ring, and why the place of pictures refuses")
  func refusedKeys() async throws {
    try await setup()
    let settings = try await settings()
    let ring = settings.keyringPath
    func told(_ settings: Settings, _ topic: String) async -> [String] {
      let findings = await settings.diagnose(file: nil, environment: [:]).findings
      return findings.filter { $0.topic == topic && $0.severity == .fault }.map(\.value)
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: ring)
    #expect(await told(settings, "keys") == ["\(KeyringError.exposed(path: ring))"])
    // Asked for the list of a start, and not again: an HSM counts wrong PINs.
    var hasKMS = settings
    hasKMS.kms.token = PKCS11Settings(module: "/nowhere.so", token: "bank", key: "ring", pin: "hunter2")
    #expect(await told(hasKMS, "keys") == ["\(KeyManagementError.noModule("/nowhere.so"))"])
    try FileManager.default.removeItem(atPath: ring)
    #expect(await told(settings, "keys") == ["\(KeyringError.missing(path: ring))"])
    let bucket = try await Settings.load(
      file: folder.file("etc/gatehouse.json"),
      environment: [
        "GATEHOUSE_BLOBS_URL": "s3://bank?endpoint=http://127.0.0.1:9&region=eu-central-1",
        "GATEHOUSE_S3_ACCESS_KEY_ID": "hunter2", "GATEHOUSE_S3_SECRET_ACCESS_KEY": "hunter2",
      ], links: .all)
    #expect(await told(bucket, "objects") == ["failed: unavailable"])
  }

  @Test("the doctor makes nothing, and names what is missing")
  func untouched() async throws {
    try await setup(Self.answers, ["--files-only"])
    let diagnosis = await (try await settings()).diagnose(file: nil, environment: [:])
    #expect(diagnosis.findings.contains { $0.topic == "store" && $0.severity == .warning })
    #expect(!FileManager.default.fileExists(atPath: folder.file("data")))
    // A place of blobs that is not there, as one that is not mounted.
    var elsewhere = try await settings()
    (elsewhere.blobsURL, elsewhere.tls) = (folder.file("blobs"), TLSSettings(certificate: "/no-cert", key: "/no-key"))
    elsewhere.documentTemplatesFolder = "/no-templates"
    let text = await elsewhere.diagnose(file: nil, environment: [:]).text
    #expect(text.contains("not made yet"))
    for missing in ["/no-cert", "/no-key", "/no-templates"] { #expect(text.contains("\(missing) is missing")) }
    #expect(!FileManager.default.fileExists(atPath: folder.file("blobs")))
    try FileManager.default.removeItem(atPath: folder.file("etc/tenants.json"))
    #expect(await (try await settings()).diagnose(file: nil, environment: [:]).hasFaults)
  }
}
