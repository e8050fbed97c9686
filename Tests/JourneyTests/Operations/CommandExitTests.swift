// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Kit
import Storage
import TestSupport
import Testing

@testable import GatehouseApp
@testable import gatehouse

@Suite("Operations: how commands end", .storeless)
struct CommandExitTests {
  struct Plain: Error {}

  private static let cases: [(any Error, CommandExit, String)] = [
    (Problem.notFound, .notFound, "not-found"),
    (Problem(.gone, "expired", "It is gone."), .refused, "expired"),
    (Problem(.conflict, "taken", "It is taken."), .refused, "taken"),
    (Problem(.forbidden, "forbidden", "No."), .refused, "forbidden"),
    (Problem.unavailable, .unavailable, "unavailable"),
    (Problem.unexpected, .failed, "internal"),
    (CommandFailure.notFound("there is no database at x"), .notFound, "not-found"),
    (CommandFailure.refused("x is there already"), .refused, "refused"),
    (PowerAuthOperationsError("tenant x has no applications"), .notFound, "not-found"),
    (PowerAuthOperationsError(exit: .usage, "no id"), .usage, "usage"),
    (SQLError.unreachable("connection refused"), .unavailable, "unavailable"),
    (SQLError.busy, .unavailable, "unavailable"),
    (SQLError.schema("the database is newer"), .refused, "refused"),
    (SQLError.engine("disk I/O error"), .failed, "internal"),
    (BackupError("there is no backup at x", isMissing: true), .notFound, "not-found"),
    (BackupError("x was changed"), .refused, "refused"),
    (BlobError.unavailable, .unavailable, "unavailable"),
    (BlobError.refused(code: "AccessDenied"), .refused, "refused"),
    (KeyringError.missing(path: "x"), .notFound, "not-found"),
    (KeyringError.exposed(path: "x"), .refused, "refused"),
    (EpochKeyError.missing(path: "x"), .notFound, "not-found"),
    (KeyManagementError.noToken("x"), .unavailable, "unavailable"),
    (KeyManagementError.login, .refused, "refused"), (KeyManagementError.lastTry, .refused, "refused"),
    (CocoaError(.fileReadNoSuchFile), .notFound, "not-found"),
    (CocoaError(.fileWriteNoPermission), .refused, "refused"),
    (SettingsError("port is a number"), .refused, "refused"),
    (StartRefused(faults: []), .refused, "refused"),
    (ValidationError("--limit is 1 or more"), .usage, "usage"),
    (Plain(), .failed, "internal"),
  ]

  @Test("every kind of error has its code, and no two ways of being missing leave apart")
  func codes() {
    for (error, exit, code) in Self.cases {
      let report = FailureReport(error, of: OutboxCommand.List.self)
      #expect(report.exit == exit && report.code == code, "\(error): \(report)")
      #expect(!report.message.isEmpty, "\(error)")
    }
  }

  @Test("what was typed wrong names the command's usage, also when a command finds it while it runs")
  func usage() throws {
    let typed = try #require(throws: (any Error).self) { _ = try Gatehouse.parseAsRoot(["ledger", "balance"]) }
    let report = FailureReport(typed)
    #expect(report.exit == .usage)
    #expect(report.message.contains("<account>"))
    #expect(report.usage?.contains("gatehouse ledger balance") == true)
    #expect(report.usage?.contains("Error:") == false)
    #expect(report.text.hasPrefix("Error: \(report.message)\n"))

    let kind = try #require(throws: (any Error).self) {
      _ = try Gatehouse.parseAsRoot(["case", "list", "--kind", "rubix-calls"])
    }
    #expect(FailureReport(kind).exit == .usage && FailureReport(kind).message.contains("rubix-review, rubix-call,"))
    #expect(CommandPath.near(["serv"]) == ["gatehouse serve"])
    #expect(CommandPath.near(["staff", "lits"]) == ["gatehouse staff list"])
    for words in [["ledger", "balance"], ["staff", "--json"], ["x"], []] { #expect(CommandPath.near(words) == []) }
    let found = FailureReport(ValidationError("a day is such as 2026-11-22"), of: LedgerCommand.Export.self)
    #expect(found.exit == .usage)
    #expect(found.text.contains("gatehouse ledger export --help"))
    #expect(FailureReport(Problem.notFound, of: LedgerCommand.Export.self).usage == nil)
    // What is not there is told by its kind, or else by where the line names it; never by its value.
    #expect(FailureReport(Problem.missing(.bank), of: LedgerCommand.Balance.self).message == "There is no such bank.")
    #expect(
      FailureReport(Problem.notFound, of: LedgerCommand.Balance.self).message
        == "There is no such resource. Look at <account> and --tenant.")
    #expect(FailureReport.whereNamed("gatehouse a b <one> <two-three> [--x <four>]") == " Look at <one>, <two-three>.")
    #expect(FailureReport.whereNamed("gatehouse a [--x <four>]") == "")
    #expect(FailureReport.whereNamed("gatehouse a <options>") == "")
  }

  @Test("an overlap without a new secret is a wrong line: it would end or keep nothing")
  func overlap() throws {
    let line = ["saltedge", "provider", "change", "mybank", "--overlap-hours", "0"]
    let wrong = try #require(throws: (any Error).self) { _ = try Gatehouse.parseAsRoot(line) }
    #expect(FailureReport(wrong).exit == .usage && FailureReport(wrong).message.contains("--new-webhook-secret"))
    let right = try Gatehouse.parseAsRoot(line + ["--new-webhook-secret"])
    #expect((right as? SaltEdgeCommand.Change)?.overlap.duration == .zero)
    let usual = try Gatehouse.parseAsRoot(["saltedge", "provider", "change", "mybank", "--new-webhook-secret"])
    #expect((usual as? SaltEdgeCommand.Change)?.overlap.duration == .days(1))
  }

  @Test("with --json an error is one line of JSON with snake-case names")
  func json() throws {
    var problem = Problem.validation([.init("/email", "invalid", "This is no address.")])
    (problem.attemptsLeft, problem.retryAfterSeconds) = (2, 30)
    #expect(
      try FailureReport(problem).json == """
        {"error":{"attempts_left":2,"code":"validation-failed","errors":[{"code":"invalid","field":"/email",\
        "message":"This is no address."}],"exit_code":1,"message":"One or more members are not acceptable.",\
        "retry_after_seconds":30}}
        """)
    #expect(
      try FailureReport(CommandFailure.notFound("there is no database at data/x")).json
        == #"{"error":{"code":"not-found","exit_code":3,"message":"there is no database at data/x"}}"#)
    // A word that is no command is what is wrong, and `--json` only where a command has none.
    for (words, wrong) in [
      (["bogus", "--json"], "bogus"), (["staff", "bogus", "--json"], "bogus"), (["serve", "--json"], "--json"),
      (["serve", "--bogus", "--json"], "--bogus"),
    ] {
      let typed = try #require(throws: (any Error).self) { _ = try Gatehouse.parseAsRoot(words) }
      let report = FailureReport(Gatehouse.unread(words, typed))
      #expect(report.exit == .usage && report.message.contains(wrong), "\(report)")
    }
    #expect(Gatehouse.wantsJSON(["outbox", "list", "--json"]))
    #expect(!Gatehouse.wantsJSON(["outbox", "list"]) && !Gatehouse.wantsJSON(["x", "--", "--json"]))
  }

  @Test("a command on a folder without a database ends with not found, and not as a wrong line")
  func missing() async throws {
    let folder = try TestFolder()
    let command = try #require(
      try Gatehouse.parseAsRoot(["ledger", "verify", "--data", folder.file("none")]) as? LedgerCommand.Verify)
    let failure = try await #require(throws: MissingStore.self) { try await command.run() }
    #expect(FailureReport(failure, of: LedgerCommand.Verify.self).exit == .notFound)
    #expect(FailureReport(failure, of: LedgerCommand.Verify.self).usage == nil)
    let config = try #require(
      try Gatehouse.parseAsRoot(["config", "check", "--config", folder.file("none.json")]) as? ConfigCommand.Check)
    let absent = try await #require(throws: CommandFailure.self) { try await config.run() }
    #expect(absent.exit == .notFound)
    let none = folder.file("none")
    let screen = try #require(
      try Gatehouse.parseAsRoot(["screen", "queries", "--list", none, "--queries", none]) as? ScreenQueries)
    #expect(try #require(throws: CommandFailure.self) { try screen.run() }.exit == .notFound)
    for line in [
      ["finaptic", "address", "load", none], ["templates", "check", "--folder", none],
      ["audit", "verify", "--anchors", none],
    ] {
      let words = line + ["--data", folder.file("data")]
      var command = try #require(try Gatehouse.parseAsRoot(words) as? any AsyncParsableCommand)
      var report: FailureReport?
      do { try await command.run() } catch { report = FailureReport(error) }
      #expect(report?.exit == .notFound && report?.message.contains(none) == true, "\(line)")
    }
    #expect(!FileManager.default.fileExists(atPath: folder.file("data")))
    let read = try #require(
      try Gatehouse.parseAsRoot(["document", "read", none, "--templates", none]) as? ReadDocument)
    #expect(try await #require(throws: CommandFailure.self) { try await read.run() }.exit == .notFound)
  }

  @Test("a place for data that cannot be one is told by its name, and not as an error of the system")
  func places() async throws {
    let folder = try TestFolder(["file": Data("x".utf8)])
    for (place, words) in [(folder.file("file"), "is a file"), (folder.file("file/below"), "cannot be made")] {
      var settings = Settings()
      settings.dataFolder = place
      let fault = #expect(throws: SettingsError.self) { try settings.makeDataFolder() }
      #expect(fault?.description.contains(place) == true && fault?.description.contains(words) == true)
    }
    try Data(
      "A text that is longer than the head of a file of SQLite, which has a hundred bytes, and no such head."
        .utf8
    ).write(to: folder.url("gatehouse.sqlite"))
    let command = try Migrate.parse(["--data", folder.path, "--log", "critical"])
    let other = try await #require(throws: SQLError.self) { try await command.run() }
    #expect(FailureReport(other).exit == .refused)
    #expect(FailureReport(other).message.contains("\(folder.path)/gatehouse.sqlite is no database of SQLite"))
  }
}
