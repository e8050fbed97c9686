// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Delivery
import Foundation
import GatehouseApp
import Kit
import ServerTLS

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Writes the configuration of an installation with customers, and makes what it needs to start.
struct SetupCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "setup",
    abstract: "Write a production configuration, and make the store, the keys and an administrator.",
    discussion: """
      Asks at a terminal, or takes the answers from a file. Refuses to go on while anything keeps the server from \
      starting, writes gatehouse.json, tenants.json and the file of the proxy, then makes the schema and the key ring, \
      sends test messages when asked to, and adds the first administrator. Secrets are not shown while they are typed.
      """)

  @Option(help: "A JSON file of answers, instead of questions.")
  var answers: String?
  @Option(help: "Folder of the configuration.")
  var to = "/etc/gatehouse"
  @Option(help: "Folder of the database, the blobs and the keys.")
  var data = "/var/lib/gatehouse"
  @Flag(help: "Write over a configuration with customers that is there.")
  var replace = false
  @Flag(help: "Write the files and check them, and make nothing.")
  var filesOnly = false
  @Option(help: "Send a test mail to this address.")
  var testMail: String?
  @Option(help: "Send a test text to this number, as in +96512345678.")
  var testText: String?
  @OptionGroup var output: OutputOptions

  func run() async throws {
    guard answers != nil || !output.json else { throw ValidationError("--json asks nothing: name --answers") }
    var report = SetupReport(isJSON: output.json)
    do { try await setUp(&report) } catch let refused as ExitCode {
      try report.end()
      throw refused
    }
    try report.end()
  }

  private func setUp(_ report: inout SetupReport) async throws {
    if let answers { try CommandFailure.require(answers) }
    let plan = try answers.map { try SetupPlan(file: $0) } ?? SetupQuestions.atTerminal()
    var recipients = (mail: testMail, text: testText)
    if answers == nil, !filesOnly, testMail == nil, testText == nil {
      recipients = try SetupQuestions.testRecipients(of: plan)
    }
    let folder = URL(fileURLWithPath: to).standardizedFileURL.path
    // The services start in a folder of their own.
    let data = URL(fileURLWithPath: data).standardizedFileURL.path
    let config = "\(folder)/gatehouse.json"
    let files = try plan.files(in: folder, data: data)
    try requireReplaceable(files, in: folder)
    try await checkAside(plan, config: config, data: data, &report)
    try write(files, in: folder, &report)

    var settings = try await Settings.load(file: config, links: .all)
    settings.evidenceExecution = .thisProgram
    try check(settings, &report)
    guard !filesOnly else { return report.tell("The configuration is fit for a start.") }
    try DataOwner.become(of: data)
    // What the store and its jobs log while they are made is for the services' log.
    let app = try await App.open(settings, logger: settings.logger("gatehouse.setup"))
    report.made(settings.databaseName, keyring: settings.keyringPath, epochKey: settings.epochKeyPath)
    try await app.checkBlobs()
    report.tell("✓ Pictures can be stored.")
    try await test(app, plan, recipients, &report)
    try await addAdministrator(app, plan, &report)
    try check(settings, &report)
    report.tell(
      """
      The configuration is fit for a start. Back up \(settings.keyringPath) and \(settings.epochKeyPath) apart \
      from the data: without them it opens nothing.
      """)
    if plan.lists == nil {
      report.lacksLists("\(DataOwner.run(data))gatehouse lists update --config \(Self.shellWord(config)) FILE …")
    }
    report.tell("Start: systemctl enable --now gatehouse gatehouse-work")
  }

  /// What is as it would be written is no loss, and neither is the file of a package, which names no tenants.
  private func requireReplaceable(_ files: [SetupFile], in folder: String) throws {
    guard !replace else { return }
    for file in files {
      let path = "\(folder)/\(file.name)"
      guard let bytes = FileManager.default.contents(atPath: path) else { continue }
      let settings = try? JSONSerialization.jsonObject(with: bytes) as? [String: Any]
      let isOfPackage = file.name == "gatehouse.json" && settings.map { $0["tenants"] == nil } == true
      if isOfPackage || (file.name != "gatehouse.json" && bytes == Data(file.text.utf8)) { continue }
      throw Problem(.conflict, "configured", "\(path) is there: --replace writes over it.")
    }
  }

  /// Checks the configuration in a folder of its own, so that answers which lack something change no file of a server
  /// that runs.
  private func checkAside(
    _ plan: SetupPlan, config: String, data: String, _ report: inout SetupReport
  ) async throws {
    let aside = FileManager.default.temporaryDirectory.appending(path: "gatehouse-setup-\(UUID().uuidString)")
    InterruptedWork.remove(aside.path)
    try FileManager.default.createDirectory(
      at: aside, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(at: aside) }
    for file in try plan.files(in: aside.path, data: data) {
      try Data(file.text.utf8).write(to: aside.appending(path: file.name))
    }
    var settings = try await Settings.load(
      file: aside.appending(path: "gatehouse.json").path,
      environment: SettingsVariables.merged(beside: config, into: ProcessInfo.processInfo.environment), links: .all)
    settings.evidenceExecution = .thisProgram
    try check(settings, &report)
  }

  private func write(_ files: [SetupFile], in folder: String, _ report: inout SetupReport) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for file in files {
      let path = "\(folder)/\(file.name)"
      try keep(path, unless: file.text, &report)
      try DurableFile.write(Data(file.text.utf8), to: path)
      // The folder's group is the server's (`2750`), and a new file's is the folder's.
      guard chmod(path, file.isSecret ? 0o640 : 0o644) == 0 else {
        throw Problem(.internal, "not-written", "The mode of \(path) cannot be set.")
      }
      report.wrote(path)
    }
  }

  /// What is written over stays beside it, with its mode: the first as `.before`, later ones as `.before.2` and so on.
  /// No copy is written over, as an operator's own file may be any of them.
  private func keep(_ path: String, unless text: String, _ report: inout SetupReport) throws {
    guard let bytes = FileManager.default.contents(atPath: path), bytes != Data(text.utf8) else { return }
    var (copy, number) = ("\(path).before", 1)
    // Also a link to what is not there is in the way.
    while (try? FileManager.default.attributesOfItem(atPath: copy)) != nil {
      guard FileManager.default.contents(atPath: copy) != bytes else { return report.keeps(copy) }
      number += 1
      copy = "\(path).before.\(number)"
    }
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    report.keeps(copy)
  }

  private func check(_ settings: Settings, _ report: inout SetupReport) throws {
    report.refuse(settings.startFaults.map(\.description))
    guard report.faults.isEmpty else { throw ExitCode.refused }
  }

  private func test(
    _ app: App, _ plan: SetupPlan, _ to: (mail: String?, text: String?), _ report: inout SetupReport
  ) async throws {
    for (channel, recipient, what) in [(Message.Channel.email, to.mail, "mail"), (.sms, to.text, "text")] {
      guard let recipient else { continue }
      do {
        try await app.sendTestMessage(channel, to: recipient, tenant: plan.institution.id)
        report.took(what)
      } catch let refused as MessageRefused {
        throw Problem(
          .conflict, "test-message-refused", "The test \(what) was refused: \(refused.reason). \(untested(channel))")
      } catch let undelivered as MessageUndelivered {
        throw Problem(
          .unavailable, "test-message-undelivered",
          "The test \(what) did not go: \(undelivered.reason). \(untested(channel))")
      }
    }
  }

  /// A path as a shell reads it: as it is, or between quotes.
  static func shellWord(_ path: String) -> String {
    path.wholeMatch(of: /[A-Za-z0-9_@%+=:,.\/-]+/) != nil ? path : "'\(path.replacing("'", with: #"'\''"#))'"
  }

  /// What is to be done about a test message that did not go. The configuration is written by then.
  private func untested(_ channel: Message.Channel) -> String {
    """
    Look at \(channel == .email ? "smtp" : "sms") in the configuration, which is written, and at that gateway. No \
    administrator was added: run this again with --replace and answers that are right, and without the test message \
    when the gateway may wait.
    """
  }

  private func addAdministrator(_ app: App, _ plan: SetupPlan, _ report: inout SetupReport) async throws {
    guard let asked = plan.administrator else { return }
    guard
      let first = try await app.addFirstAdministrator(
        asked, tenant: plan.institution.id, by: OperatorOptions.machineUser)
    else { return report.tell("✓ \(plan.institution.id) has an administrator already.") }
    report.added(
      SetupReport.Administrator(
        name: first.member.name, email: first.member.email, password: first.password,
        enrolmentCode: first.code.text, address: "https://\(plan.consoleHost ?? plan.host)\(plan.port)/console",
        expiresAt: first.code.expiresAt.rfc3339))
  }
}

/// The services run as the owner of the data folder, who could not open files that root makes there.
enum DataOwner {
  /// How root begins a command that opens the store in the folder: as its owner. Empty where the owner is root.
  static func run(_ folder: String) -> String {
    var entry = stat()
    guard stat(folder, &entry) == 0, entry.st_uid != 0, let owner = getpwuid(entry.st_uid) else { return "" }
    return "runuser -u \(String(cString: owner.pointee.pw_name)) -- "
  }

  static func become(of folder: String) throws {
    var entry = stat()
    guard getuid() == 0, stat(folder, &entry) == 0, entry.st_uid != 0 else { return }
    guard setgroups(0, nil) == 0, setgid(entry.st_gid) == 0, setuid(entry.st_uid) == 0 else {
      throw Problem(.forbidden, "owner", "This program cannot go on as the owner of \(folder).")
    }
  }
}
