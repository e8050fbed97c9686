// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Kit
import TestSupport
import Testing

@testable import GatehouseApp
@testable import gatehouse

/// A wrong folder, or an error in its name: an empty list there would be believed, and a new store would stay.
@Suite("Operations: a store that is not there", .storeless)
struct MissingStoreTests {
  /// What looks at an installation, or changes what has to be there. `DIR` is a folder that may be made.
  static let lines = """
    audit anchor
    audit seal
    audit verify
    backup --to DIR
    case claim x --agent a
    case hand-over x --to b --why duty --agent a
    case list
    case next --agent a
    case release x --why duty --agent a
    case show x
    case take-back x --agent a
    customer erase --customer x --reason art-17-request --yes
    customer export --customer x --to DIR
    finaptic application show x
    finaptic bank approvals --client c
    finaptic bank approve --client c x
    finaptic key revoke x --yes
    finaptic tenant list
    keys advance
    keys prepare
    keys replace-epoch-key
    keys rewrap
    keys rotate
    keys subjects
    ledger balance x
    ledger seal
    ledger statement x --from 2026-11-22
    ledger verify
    lists remove PEP
    lists status
    lists update x.csv --folder
    oneassist membership code x 1234 --agent a
    oneassist membership decide x approve --agent a
    oneassist membership erase x --agent a --yes
    oneassist membership export x --agent a --to DIR
    oneassist membership list
    oneassist membership photo x BACK_IMAGE accept --agent a
    oneassist membership pictures x DIR --agent a
    oneassist partner list
    oneassist partner rotate-webhook-secret 7
    oneassist plan add 7 1 --name n --price 1 --cover 1 --value-max 1
    outbox drop x --yes
    outbox list
    outbox release --all
    powerauth activation block x
    powerauth activation commit x
    powerauth activation flags x
    powerauth activation list --user u
    powerauth activation remove x --yes
    powerauth activation show x
    powerauth activation unblock x
    powerauth application list
    powerauth application protocol-min x 3.3
    powerauth application rotate-master-key x
    powerauth application show x
    powerauth application version add x 1
    powerauth application version configuration x
    powerauth application version restore x
    powerauth application version retire x
    powerauth client list
    powerauth client revoke x --yes
    powerauth client rotate x
    powerauth recovery-code issue x u
    receipt public-key
    receipt write x
    record-backup
    rubix case x --agent a
    rubix queue --agent a
    rubix retake x selfie --words w --agent a
    rubix verdict x successful --agent a
    saltedge provider change x --new-webhook-secret
    saltedge provider list
    saltedge provider resume x
    saltedge provider suspend x
    saltedge service-key prepare
    saltedge service-key show
    saltedge service-key switch --yes
    saltedge user erase x --user u --reason art-17-request --yes
    saltedge user export x --user u --to DIR
    sandbox clock
    screen approve x --agent a --case-version 1 --give-back
    screen decide x --agent a --verdict false_positive --text t
    screen hits
    screen replay x
    screen self-test
    sessions end --customers --yes
    staff join-openid x --subject s
    staff leave add x --from 2026-12-24 --until 2026-12-26
    staff leave list
    staff leave remove x
    staff list
    staff permissions x attend:video
    staff reset-second-factor x
    staff resume x
    staff suspend x
    webhooks enable x
    webhooks list
    webhooks log
    webhooks redeliver x
    webhooks remove x --yes
    webhooks rotate x
    wultra review decide x accepted --agent a
    wultra review list
    wultra review pictures x DIR --agent a
    wultra user erase --user u --reason art-17-request --yes
    wultra user export --user u --to DIR
    """.split(separator: "\n")

  /// What an installation may begin with, what needs no store, and what reads standard input or a file first.
  private static let others: Set<String> = [
    "serve", "work", "migrate", "setup", "restore", "sandbox seed", "sandbox advance", "staff add", "lists update",
    "finaptic tenant add", "oneassist partner add", "saltedge provider add", "saltedge demo-bank add",
    "powerauth application add", "powerauth client add",
    "config check", "doctor", "health", "finaptic address load", "finaptic address look", "templates check",
    "templates list", "templates preview", "faces calibrate", "keys wrap", "receipt verify", "erasure verify",
    "staff password", "chat reply", "case note",
  ]

  private func run(_ line: String, _ options: [String]) async throws -> FailureReport? {
    let words = line.split(separator: " ").map(String.init) + options + ["--log", "critical"]
    let parsed = try DocumentedCommandTests.parse(words)
    var command = try #require(parsed as? any AsyncParsableCommand, "\(line)")
    do { try await command.run() } catch { return FailureReport(error, of: type(of: command)) }
    return nil
  }

  @Test(
    "every command that needs one names where it was looked for, ends with 3 and makes nothing",
    .timeLimit(.minutes(2)))
  func missing() async throws {
    let folder = try TestFolder()
    let data = folder.file("none")
    let ofTenants = UnknownTenantTests.lines.map { String($0).replacing(" T", with: " finaptic-9") }
    let lines: [String] = Self.lines.map { String($0) } + ofTenants
    for line in lines where !Self.others.contains(where: { line.hasPrefix($0 + " ") }) || line.hasSuffix(" --folder") {
      let report = try await run(line.replacing("DIR", with: folder.file("made")), ["--data", data])
      #expect(report?.exit == .notFound && report?.message.contains(data) == true, "\(line): \(report as Any)")
      let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(left == [], "\(line)")
    }
    // A start that ended at once leaves a file of no bytes.
    try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
    FileManager.default.createFile(atPath: "\(data)/gatehouse.sqlite", contents: nil)
    let begun = try #require(try await run("staff list", ["--data", data]))
    #expect(begun.exit == .notFound && begun.message.contains("`gatehouse migrate`"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: data) == ["gatehouse.sqlite"])
  }

  @Test("no command is left out: each is one of these, one of those of a tenant, or named as needing no store")
  func complete() throws {
    let played = (Self.lines + UnknownTenantTests.lines).map(String.init)
    let all = try CommandReference.shared.get().all.filter { _, command in
      command.shown.isEmpty && (command.arguments ?? []).contains { $0.valueName == "data" }
    }.map { $0.words.dropFirst().joined(separator: " ") }
    let missed = all.filter { name in
      !Self.others.contains(name) && !played.contains { $0 == name || $0.hasPrefix(name + " ") }
    }
    #expect(missed == [] && all.count > 150)
  }
}
