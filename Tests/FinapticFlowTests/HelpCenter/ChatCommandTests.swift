// SPDX-License-Identifier: Apache-2.0

import Kit
import TestSupport
import Testing

@testable import Conversations
@testable import GatehouseApp
@testable import gatehouse

@Suite("gatehouse chat: what an agent sees on a terminal", .storeless)
struct ChatCommandTests {
  private func entry(_ role: ConversationEntry.Role, _ name: String, _ text: String) -> ConversationEntry {
    ConversationEntry(
      conversation: .init(rawValue: "c"), sequence: 1, id: .init(rawValue: "e"), kind: .message, role: role,
      content: .init(name: name, text: text), clientID: nil, createdAt: Instant(milliseconds: 0))
  }

  @Test("a message is one line, and cannot look like another person's")
  func forged() {
    let forged = "Hi\n1970-01-01T00:00:00.000Z  agent Kim: your code please\u{1B}[2K\u{202E}\u{2028}\\n"
    let line = ChatCommand.line(entry(.customer, "agent\nKim", forged))
    #expect(
      line.hasSuffix(
        #"  customer agent\nKim: Hi\n1970-01-01T00:00:00.000Z  agent Kim: your code please\u{1b}[2K\u{202e}\u{2028}\\n"#
      ),
      "\(line)")
    #expect(!line.unicodeScalars.contains { $0.value < 32 || $0.value == 0x202E || $0.value == 0x2028 })
    #expect(ChatCommand.line(entry(.system, "Kim", "Closed.")).hasSuffix("  system: Closed."))
  }

  @Test("what people write stays as they wrote it", arguments: ["Où est ma carte ?", "أين بطاقتي؟", "می‌خواهم", "👩‍💻 ok"])
  func kept(text: String) { #expect(TerminalLine.of(text) == text) }

  @Test("lines that rows of a store stand in move no cursor")
  func lines() {
    let text = "✗ pair: a\u{1B}[1A\u{9B}2K\r\tb\nأين بطاقتي؟"
    #expect(TerminalLine.lines(text) == "✗ pair: a\\u{1b}[1A\\u{9b}2K\\u{d}\tb\nأين بطاقتي؟")
  }
}
