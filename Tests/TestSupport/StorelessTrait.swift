// SPDX-License-Identifier: Apache-2.0

import Testing

/// What a suite or a test carries that opens no `TestDatabase`, because it stores nothing or because it works on the
/// SQLite file of a data folder in every run: its outcome cannot depend on the engine of the run, so it runs on SQLite
/// and is skipped on PostgreSQL. One that opens a `TestDatabase` all the same fails. A suite that does not carry the
/// trait runs on both engines.
package struct StorelessTrait: SuiteTrait, TestTrait {
  let reason: Comment

  /// Suites inside a suite, and its tests, inherit the trait.
  package var isRecursive: Bool { true }

  package func prepare(for test: Test) async throws {
    try await ConditionTrait.enabled(
      if: Engine.current == .sqlite, reason
    ).prepare(for: test)
  }

  struct Broken: Error, CustomStringConvertible {
    let description = "A test that is marked `.storeless` or `.ownFile` opens a TestDatabase. Remove the mark."
  }

  /// Called by everything that opens a database for a test.
  /// - Throws: `Broken` inside a test that carries the trait.
  static func expectAbsent() throws {
    if let test = Test.current, test.traits.contains(where: { $0 is StorelessTrait }) { throw Broken() }
  }
}

extension Trait where Self == StorelessTrait {
  /// For a suite or a test that opens no database.
  package static var storeless: Self { Self(reason: "It opens no database, so it runs on SQLite only.") }

  /// For a suite or a test of what a program does with the SQLite file in its data folder: commands, backups, and
  /// served programs that are killed. Beside PostgreSQL it would do the same to the same file.
  package static var ownFile: Self {
    Self(reason: "Its store is a file of its own in every run, so it runs beside SQLite's suites only.")
  }
}
