// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Kit
import TestSupport
import Testing

@testable import FinapticFlow
@testable import GatehouseApp
@testable import gatehouse

@Suite("Operations: spellings of commands", .storeless)
struct CommandSpellingTests {
  @Test("every old spelling leads to a command of today, and is not a command itself")
  func spellings() {
    let words = Set(CommandPath.all().map { $0.words.dropFirst().joined(separator: " ") })
    for spelling in DeprecatedSpelling.all {
      #expect(words.contains(spelling.new.joined(separator: " ")), "\(spelling.new)")
      // The container of the new one may have the words of the old one.
      let old = spelling.old.joined(separator: " ")
      #expect(!words.contains(old) || spelling.new.starts(with: spelling.old), "\(old)")
    }
    #expect(Set(DeprecatedSpelling.all.map(\.old)).count == DeprecatedSpelling.all.count)
  }

  @Test(
    "an old spelling is renewed with everything behind it, one of today is left alone",
    arguments: [
      ("oneassist add-partner 853 --name Shop", "oneassist partner add 853 --name Shop"),
      ("help read-document", "help document read"),
      ("finaptic bundles load 7 x.json", "finaptic bundle load 7 x.json"),
      ("finaptic sandbox-client 7", "finaptic sandbox-client add 7"),
      ("finaptic sandbox-client add 7", nil),
      ("saltedge demo-bank add --file x", nil),
      ("saltedge provider add x", nil),
      ("erasure verify x", nil),
      ("backup --to export", nil),
    ])
  func renewed(typed: String, wanted: String?) throws {
    let arguments = typed.split(separator: " ").map(String.init)
    let (renewed, spelling) = DeprecatedSpelling.renewed(arguments)
    #expect(renewed.joined(separator: " ") == wanted ?? typed)
    #expect((spelling == nil) == (wanted == nil))
    if let spelling { #expect(spelling.hint.contains("gatehouse \(spelling.new.joined(separator: " "))")) }
  }

  @Test("a tenant goes by one name, and is read in the spellings of before")
  func tenants() throws {
    for text in ["finaptic-7", "finaptic/7", "7"] { #expect(try TenantNumber.read(text) == 7) }
    for (typed, tenant, printed, name) in [
      ("finaptic-7", "finaptic/7", "finaptic-7", "finaptic-7"),
      ("finaptic/7", "finaptic/7", "finaptic-7", "finaptic-7"),
      ("default", "rubix/default", "default", "default"), ("rubix/default", "rubix/default", "default", "default"),
      ("wultra/institution", "wultra/institution", "wultra/institution", "wultra/institution"),
      ("oneassist/default", "oneassist/default", "oneassist/default", "oneassist/default"),
      ("rubix/finaptic-7", "rubix/finaptic-7", "rubix/finaptic-7", "finaptic-7"),
    ] {
      let read = try #require(TenantID(argument: typed))
      #expect("\(read)" == tenant && read.spelling == printed && TenantID(spelling: printed) == read)
      #expect(TenantOptions.read(typed) == name)
    }
    for text in ["", "finaptic-", "finaptic-0", "-7", "+7", "rubix-7", "7a", "finaptic-99999999999999999999"] {
      #expect(throws: ValidationError.self, "\(text)") { try TenantNumber.read(text) }
    }
    let named = try Gatehouse.parseAsRoot(["finaptic", "key", "list", "finaptic-7"])
    #expect((named as? FinapticCommand.KeyCommand.List)?.tenant == 7)
    // As scripts of before name it, by the container's default.
    let client = try Gatehouse.parseAsRoot(["finaptic", "bank", "client", "7", "--posting"])
    #expect((client as? FinapticCommand.BankCommand.Client)?.posting == true)
  }

  @Test(
    "the line of a verdict is read whole, and refused before anything is opened",
    arguments: [
      ("verdict 1 successful --answer no-coercion=yes --agent a@b.example", true),
      ("verdict 1 failed --reason technical --retry --agent a@b.example", true),
      ("verdict 1 maybe --agent a@b.example", false),
      ("verdict 1 failed --answer no-coercion --agent a@b.example", false),
      ("verdict 1 successful", false), ("queue --status in_review --agent a@b.example", true),
      ("queue --status closed --agent a@b.example", false), ("queue --limit 0 --agent a@b.example", false),
      ("queue --cursor x --agent a@b.example", false), ("case 1 --agent a@b.example", true),
    ])
  func verdicts(line: String, isRead: Bool) {
    let command = try? Gatehouse.parseAsRoot(["rubix"] + line.split(separator: " ").map(String.init))
    #expect((command != nil) == isRead)
  }

  @Test("what cannot be taken back is asked for, and refused where no one can be asked")
  func confirmation() throws {
    for answer in ["y", "YES", " yes "] { try ConfirmationOptions.check(answer) }
    for answer in [nil, "", "n", "yess", "sure"] {
      #expect(throws: CommandFailure.self) { try ConfirmationOptions.check(answer) }
    }
    try ConfirmationOptions.parse(["--yes"]).confirm("It is gone.")
    for words in [
      ["customer", "erase", "--customer", "x", "--reason", "ended"], ["outbox", "drop", "x"],
      ["powerauth", "activation", "remove", "x"], ["powerauth", "client", "revoke", "x"],
      ["finaptic", "key", "revoke", "x"], ["webhooks", "remove", "x"], ["saltedge", "service-key", "switch"],
      ["restore", "--from", "x"], ["keys", "advance"], ["oneassist", "membership", "erase", "x", "--agent", "a"],
      ["finaptic", "account", "close", "finaptic-7", "x", "--reason", "ended"],
      ["sandbox", "advance", "1d"],
      ["finaptic", "user", "erase", "finaptic-7", "x", "--money", "payout", "--reason", "ended"],
    ] { _ = try Gatehouse.parseAsRoot(words + ["--yes"]) }
  }

  @Test("an erasure of a customer with money tells what stays on the disk for now, as one without money does")
  func erasure() {
    let outcome = FinapticErasure.Outcome(applications: 1, accounts: 2)
    let erased = "Erased, with 1 application; 2 accounts are closed and unnamed."
    typealias Erase = FinapticCommand.UserCommand.Erase
    #expect(Erase.words(outcome, kept: nil) == erased)
    let other = FinapticErasure.Outcome(applications: 2, accounts: 1)
    #expect(Erase.words(other, kept: nil) == "Erased, with 2 applications; 1 account is closed and unnamed.")
    #expect(Erase.words(outcome, kept: "Older pages stay.") == erased + " Older pages stay.")
  }

  @Test("JSON has snake-case names, and lists are objects, also without a row")
  func json() throws {
    struct Row: Encodable {
      let lastUsedAt: String?
      let byTopic: [String: Int]
    }
    let text = try CommandJSON.line(["rows": [Row(lastUsedAt: "now", byTopic: ["rubix.sendPasscode": 1])]])
    #expect(text == #"{"rows":[{"by_topic":{"rubix.sendPasscode":1},"last_used_at":"now"}]}"#)
    #expect(try CommandJSON.line(["rows": [String]()]) == #"{"rows":[]}"#)
    let done = OutputOptions.Done(id: "7", changed: true, message: "Set.")
    #expect(try CommandJSON.line(done) == #"{"changed":true,"id":"7","message":"Set."}"#)
  }
}
