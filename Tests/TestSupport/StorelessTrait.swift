// SPDX-License-Identifier: Apache-2.0

import Testing

/// What a suite or a test carries that opens no database: its outcome cannot depend on the engine, so it runs on SQLite
/// and is skipped on PostgreSQL. One that opens a `TestDatabase` all the same fails. A suite that does not carry the
/// trait runs on both engines.
package struct StorelessTrait: SuiteTrait, TestTrait {
  /// Suites inside a suite, and its tests, inherit the trait.
  package var isRecursive: Bool { true }

  package func prepare(for test: Test) async throws {
    try await ConditionTrait.enabled(
      if: Engine.current == .sqlite, "It opens no database, so it runs on SQLite only."
    ).prepare(for: test)
  }

  struct Broken: Error, CustomStringConvertible {
    let description = "A test that is marked `.storeless` opens a database. Remove the mark."
  }

  /// Called by everything that opens a database for a test.
  /// - Throws: `Broken` inside a test that carries the trait.
  static func expectAbsent() throws {
    if let test = Test.current, test.traits.contains(where: { $0 is StorelessTrait }) { throw Broken() }
  }
}

extension Trait where Self == StorelessTrait {
  /// For a suite or a test that opens no database.
  package static var storeless: Self { Self() }
}
