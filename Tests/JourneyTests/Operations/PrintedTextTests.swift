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
    let (folder, vault, output) = (try TestFolder(), try await Self.vault(), Pipe())
    let receipt = try JSONDecoder().decode(JSONValue.self, from: Data(Self.receipt.utf8))
    try SignedDocument(receipt, for: .decisionReceipt, by: vault).document.write(
      to: URL(fileURLWithPath: folder.file("receipt.json")))
    let process = Process()
    (process.executableURL, process.standardOutput) = (ServedProcess.program, output)
    process.arguments =
      try ["receipt", "verify", folder.file("receipt.json")]
      + ["--public-key", vault.publicKey(for: .decisionReceipt).base64EncodedString()] + (asJSON ? ["--json"] : [])
    try process.run()
    let printed = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 0)
    let controls = printed.unicodeScalars.filter { $0.properties.generalCategory == .control && $0 != "\n" }
    #expect(controls.isEmpty)
    guard asJSON else {
      #expect(printed.contains(#"about s\u{1b}[2J."#) && printed.contains(#"cleared\u{9b}2K by a\u{1b}[1A"#))
      return
    }
    let read = try JSONSerialization.jsonObject(with: Data(printed.utf8)) as? [String: Any]
    #expect(read?["outcome"] as? String == "cleared\u{9b}2K")
  }
}
