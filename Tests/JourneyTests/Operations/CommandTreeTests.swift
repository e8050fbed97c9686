import Foundation
import TestSupport
import Testing

@testable import gatehouse

@Suite("Operations: the tree of commands", .storeless)
struct CommandTreeTests {
  @Test("docs/commands.md tells every command, its options and the exit codes")
  func page() throws {
    let reference = try CommandReference()
    #expect(reference.all.count > 150)
    #expect(try GoldenFile.difference(of: reference.text, from: "docs/commands.md") == nil)
  }

  @Test("every command tells what it does, and every argument what it means")
  func told() throws {
    let all = try CommandReference().all
    let silent = all.filter { $0.command.abstract?.isEmpty ?? true }.map { $0.words.joined(separator: " ") }
    #expect(silent == [])
    let unexplained = all.flatMap { words, command in
      (command.arguments ?? []).filter { $0.shouldDisplay && $0.abstract?.isEmpty ?? true }.map {
        "\(words): \($0.form)"
      }
    }
    #expect(unexplained == [])
  }

  @Test("a command knows the words that lead to it")
  func path() {
    #expect(CommandPath.of(LedgerCommand.Verify.self) == ["gatehouse", "ledger", "verify"])
    #expect(CommandPath.of(Gatehouse.self) == ["gatehouse"])
    let words = CommandPath.all().map { $0.words.joined(separator: " ") }
    #expect(Set(words).count == words.count)
    #expect(!words.contains("gatehouse evidence-worker"))
  }
}
