// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import PowerAuthCore
import TestSupport
import Testing

@testable import GatehouseApp

@Suite(
  "Operations: what commands print of others' texts", .onOneEngine,
  .enabled(if: ServedProcess.program != nil, "\(ServedProcess.missing)"))
struct PrintedTextTests {
  /// A receipt whose signature is right and whose texts move the cursor of a terminal: escape, bell, and the control
  /// sequence introducer of one character.
  private static let receipt = #"""
    {"format":"gatehouse-decision-receipt/1","id":"r","decided_at":"2026-01-01T00:00:00Z","decided_by":"a\u001b[1A",
    "outcome":"cleared\u009b2K","case":{"id":"c","kind":"k","tenant":"t","subject":"s\u001b[2J","opened_at":"o",
    "due_at":"d","risk":1,"reasons":[],"version":1},"shown":[],"evidence":[{"kind":"e\u001bc","id":"i"}],
    "versions":{"v\u0007":"1"},"audit_digest":"x","audit_sequence":1}
    """#

  private static func vault() async throws -> Vault {
    let store = try await TestDatabase.make(.sqlite, Schema.migrations)
    return try await TestVault.open(store.database, TestWorld().world)
  }

  @Test("a receipt that is checked moves no cursor, as lines and as JSON", arguments: [false, true])
  func receipt(asJSON: Bool) async throws {
    let (folder, vault) = (try TestFolder(), try await Self.vault())
    let receipt = try JSONDecoder().decode(JSONValue.self, from: Data(Self.receipt.utf8))
    try SignedDocument(receipt, for: .decisionReceipt, by: vault).document.write(
      to: URL(fileURLWithPath: folder.file("receipt.json")))
    let printed = try Self.printed(
      by: ["receipt", "verify", folder.file("receipt.json")]
        + ["--public-key", vault.publicKey(for: .decisionReceipt).base64EncodedString()] + (asJSON ? ["--json"] : []))
    #expect(Self.controls(in: printed).isEmpty)
    guard asJSON else {
      #expect(printed.contains(#"about s\u{1b}[2J."#) && printed.contains(#"cleared\u{9b}2K by a\u{1b}[1A"#))
      return
    }
    let read = try JSONSerialization.jsonObject(with: Data(printed.utf8)) as? [String: Any]
    #expect(read?["outcome"] as? String == "cleared\u{9b}2K")
  }

  /// Commands whose JSON is not made as that of the others is. What they read has `\u{9b}2K`, which comes back.
  @Test("what every command prints as JSON is JSON, whatever it has read", arguments: ["document", "mrz", "screen"])
  func others(command: String) throws {
    let name = "a\u{9b}2K"
    let folder = try TestFolder([
      name: Data("no picture".utf8), "list.csv": Data("ref,name\n\(name),Ansgar Driftwell\n".utf8),
      "names.csv": Data("name\nAnsgar Driftwell\n".utf8),
      "zones.json": Data(#"{"reference_date":"2026-01-01","vectors":[{"id":"\#(name)","lines":[]}]}"#.utf8),
    ])
    let (line, status): ([String], Int32) =
      switch command {
      case "document": (["document", "read", folder.file(name), "--json"], 1)
      case "mrz": (["mrz", "parse", folder.file("zones.json")], 0)
      default:
        (["screen", "--list", folder.file("list.csv"), "--queries", folder.file("names.csv"), "--json"], 0)
      }
    let printed = try Self.printed(by: line, endingWith: status)
    #expect(Self.controls(in: printed).isEmpty)
    let read = try JSONDecoder().decode(JSONValue.self, from: Data(printed.utf8))
    #expect(String(decoding: try JSONEncoder().encode(read), as: UTF8.self).contains(name))
  }

  @Test("a search in files tells on standard error what of them it does not search, and what they lack (issue 27)")
  func lists() throws {
    func row(_ fields: String) -> String { "\(fields)\(String(repeating: ",-0- ", count: 9))\r\n" }
    let folder = try TestFolder([
      "targets.csv": Data("id,schema,name,birth_date\n2,Person,,\n1,Person,Ansgar Driftwell,\n".utf8),
      "sdn.csv": Data(row("1,\"DRIFTWELL, Ansgar\",individual").utf8),
      "alt.csv": Data("1,1,\"aka\",\"A\",-0- \r\n".utf8), "names.csv": Data("name\nAnsgar Driftwell\n".utf8),
    ])
    let lists = ["targets.csv", "sdn.csv", "alt.csv"].flatMap { ["--list", folder.file($0)] }
    let told = try Self.printed(by: ["screen"] + lists + ["--queries", folder.file("names.csv")], asErrors: true)
    #expect(
      told == """
        targets.csv: not searched: 1 unnamed
        sdn.csv: OFAC's table of addresses, ADD.CSV, was not beside it: no entry has an address

        """)
  }

  /// What the program prints on standard output, or on standard error.
  private static func printed(
    by line: [String], endingWith status: Int32 = 0, asErrors: Bool = false
  ) throws -> String {
    let (process, output) = (ChildProcess(), Pipe())
    (process.executableURL, process.arguments) = (ServedProcess.program, line)
    process.standardOutput = asErrors ? FileHandle.nullDevice : output
    if asErrors { process.standardError = output }
    try process.run()
    let printed = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == status)
    return printed
  }

  private static func controls(in text: String) -> [Unicode.Scalar] {
    text.unicodeScalars.filter { $0.properties.generalCategory == .control && $0 != "\n" }
  }
}
