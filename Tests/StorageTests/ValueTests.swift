// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage
import Testing
import TestSupport

@Suite("Storage: values come back as they went in")
struct ValueTests {
  @Test(
    "text of every script comes back unchanged, code point by code point",
    arguments: Engine.available,
    ["", " ", "Łódź", "سلمى", "日本語", "👩‍👩‍👧", "e\u{301}", "\u{e9}", "\u{feff}x", "\u{10ffff}", "tab\tline\n"])
  func text(engine: Engine, value: String) async throws {
    let back: String = try await roundTrip(value, column: .text, engine)
    #expect(Array(back.unicodeScalars) == Array(value.unicodeScalars))
  }

  @Test("a long text comes back unchanged", arguments: Engine.available)
  func longText(engine: Engine) async throws {
    let value = String(repeating: "ä", count: 1_000_000)
    // Not in an indexed column: PostgreSQL bounds what an index holds.
    let made = try await TestDatabase.make(engine, [Migration("2026-01-01 t", "CREATE TABLE t (v TEXT)")])
    try await made.database.write { _ = try $0.execute("INSERT INTO t (v) VALUES (\(value))") }
    #expect(try await made.database.read { try $0.first("SELECT v FROM t")?.get("v") } == value)
  }

  @Test("a text that holds a NUL is refused or kept whole, never cut", arguments: Engine.available)
  func nul(engine: Engine) async throws {
    do {
      let back: String = try await roundTrip("one\u{0}two", column: .text, engine)
      #expect(back == "one\u{0}two")
    } catch is SQLError {}
  }

  @Test(
    "whole numbers come back over their whole range", arguments: Engine.available,
    [0, 1, -1, 9_007_199_254_740_993, .max, .min])
  func integer(engine: Engine, value: Int64) async throws {
    let made = try await TestDatabase.make(engine, [Migration("2026-01-01 n", "CREATE TABLE n (v BIGINT)")])
    try await made.database.write { _ = try $0.execute("INSERT INTO n (v) VALUES (\(value))") }
    let back: Int64? = try await made.database.read { try $0.first("SELECT v FROM n")?.get("v") }
    #expect(back == value)
  }

  @Test(
    "fractions come back bit by bit", arguments: Engine.available,
    [0, 0.1, -1.5, .pi, .leastNonzeroMagnitude, .greatestFiniteMagnitude])
  func real(engine: Engine, value: Double) async throws {
    #expect(try await roundTrip(value, column: .real, engine) == value)
  }

  @Test("bytes come back unchanged, also none and every value of one", arguments: Engine.available)
  func bytes(engine: Engine) async throws {
    for value in [Data(), Data([0]), Data(0...255), Data(repeating: 0xff, count: 100_000)] {
      #expect(try await roundTrip(value, column: .bytes, engine) == value)
    }
  }

  @Test("nothing comes back as nothing in every column, and never as an empty value", arguments: Engine.available)
  func null(engine: Engine) async throws {
    #expect(try await roundTrip(String?.none, column: .text, engine) as String? == nil)
    #expect(try await roundTrip(Int?.none, column: .amount, engine) as Int? == nil)
    #expect(try await roundTrip(Double?.none, column: .real, engine) as Double? == nil)
    #expect(try await roundTrip(Data?.none, column: .bytes, engine) as Data? == nil)
    await #expect(throws: SQLError.self) { try await roundTrip(String?.none, column: .text, engine) as String }
  }

  @Test("yes and no come back", arguments: Engine.available, [true, false])
  func boolean(engine: Engine, value: Bool) async throws {
    #expect(try await roundTrip(value, column: .amount, engine) == value)
  }

  private enum Colour: String, SQLConvertible { case red, green }

  @Test("an enumeration comes back as its case, and an unknown case is refused", arguments: Engine.available)
  func enumeration(engine: Engine) async throws {
    #expect(try await roundTrip(Colour.green, column: .text, engine) == Colour.green)
    await #expect(throws: SQLError.self) { try await roundTrip("blue", column: .text, engine) as Colour }
  }

  @Test("a column of another type, or none of that name, is refused by name and without its value")
  func wrongType() throws {
    let row = SQLRow(["secret": .text("hunter2")])
    let wrong = #expect(throws: SQLError.self) { try row.get("secret", as: Int.self) }
    let absent = #expect(throws: SQLError.self) { try row.get("other", as: String.self) }
    #expect(wrong == .unreadable("secret: expected an integer"))
    #expect(absent == .unreadable("no column other"))
  }

  private enum Column { case text, amount, real, bytes }

  private func roundTrip<In: SQLConvertible, Out: SQLConvertible>(
    _ value: In, column: Column, _ engine: Engine
  ) async throws -> Out {
    let made = try await TestDatabase.make(engine, [thing])
    try await made.database.write { tx in
      switch column {
      case .text: _ = try tx.execute("INSERT INTO thing (id, text) VALUES (1, \(value))")
      case .amount: _ = try tx.execute("INSERT INTO thing (id, amount) VALUES (1, \(value))")
      case .real: _ = try tx.execute("INSERT INTO thing (id, real) VALUES (1, \(value))")
      case .bytes: _ = try tx.execute("INSERT INTO thing (id, bytes) VALUES (1, \(value))")
      }
    }
    return try await made.database.read { tx in
      let row = try #require(try tx.first("SELECT text, amount, real, bytes FROM thing"))
      return try row.get("\(column)")
    }
  }
}
