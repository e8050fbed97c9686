// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage
import Testing
import TestSupport

@testable import Conversations

@Suite("Conversations: many at once, on two nodes", .timeLimit(.minutes(2)))
struct ConversationRaceTests {
  @Test("customers and agents race, some words come twice, readers come and go: each is told every word once, in order")
  func raced() async throws {
    let app = try await ConversationTestApp()
    let second = try app.made.reopened()
    let nodes = [app.conversations, app.node(second)]
    let (authors, each) = (3, 15)
    let chat = try await app.begin()
    try await app.take(chat)
    let first = try await app.find(chat).sequence
    let total = 2 * authors * each
    let seen = try await withThrowingTaskGroup(of: [ConversationEntry]?.self) { group in
      for author in 0..<authors {
        group.addTask {
          for number in 0..<each {
            let (text, id) = ("c\(author)-\(number)", "\(author)-\(number)")
            for round in 0..<(number % 4 == 0 ? 2 : 1) {
              try await app.say(text, chat, id: id, on: nodes[(author + round) % 2])
            }
          }
          return nil
        }
        group.addTask {
          for number in 0..<each {
            try await app.answer(
              "a\(author)-\(number)", chat, id: "\(author)-\(number)", on: nodes[(author + number) % 2])
          }
          return nil
        }
      }
      for reader in 0..<4 {
        group.addTask { try await follow(chat, nodes, after: first, count: total, seed: UInt64(reader)) }
      }
      return try await group.reduce(into: [[ConversationEntry]]()) { if let entries = $1 { $0.append(entries) } }
    }
    #expect(seen.count == 4)
    let told = try #require(seen.first)
    for entries in seen { #expect(entries == told) }
    #expect(told.map(\.sequence) == Array((first + 1)...(first + Int64(total))))
    // In the order in which each author said it.
    for author in 0..<authors {
      for side in ["c", "a"] {
        let own = told.map(\.content.text).filter { $0.hasPrefix("\(side)\(author)-") }
        #expect(own == (0..<each).map { "\(side)\(author)-\($0)" })
      }
    }
    try second.close()
  }

  /// Reads a page, goes away, comes back on any node with the last number.
  private func follow(
    _ chat: Conversations.Opened, _ nodes: [Conversations], after position: Int64, count: Int, seed: UInt64
  ) async throws -> [ConversationEntry] {
    var randomness = SeededGenerator(seed: seed)
    var (position, entries): (Int64, [ConversationEntry]) = (position, [])
    while entries.count < count {
      let updates = nodes[Int.random(in: 0..<2, using: &randomness)].updates(of: chat.contact)
      for _ in 0..<Int.random(in: 1...3, using: &randomness) {
        let page = try await updates.next(
          after: position, atMost: .milliseconds(Int.random(in: 1...60, using: &randomness)))
        entries += page.entries
        position = page.position
      }
    }
    return entries
  }

  @Test("of agents who take a conversation at once one has it")
  func taking() async throws {
    let app = try await ConversationTestApp()
    let chat = try await app.begin()
    let taken = await withTaskGroup(of: Bool.self) { group in
      for agent in 0..<6 {
        group.addTask { (try? await app.take(chat, by: "agent\(agent)")) != nil }
      }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(taken == 1)
    #expect(try await app.texts(chat).count == 1)
  }
}
