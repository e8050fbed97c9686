// SPDX-License-Identifier: Apache-2.0

import Storage

/// Gives an old copy of a database the keys of persons that a newer copy holds, so that it opens although the epochs of
/// its own are destroyed. Whose key the newer copy lacks was erased in between, and loses it here as well.
package struct SubjectKeyTransfer: Sendable {
  /// Keys that one transaction moves.
  static let pageMax = 500

  package struct Report: Sendable, Equatable {
    /// Keys that the newer copy gave.
    package var taken = 0
    /// Keys that it lacks: of persons who were erased since.
    package var erased = 0
    package init(taken: Int = 0, erased: Int = 0) { (self.taken, self.erased) = (taken, erased) }
  }

  let newer: any SQLDatabase
  let newerVault: Vault
  let database: any SQLDatabase
  let vault: Vault

  /// - Parameters:
  ///   - newer: the copy that gives, with the schema of keys of persons; nothing in it changes.
  ///   - newerVault: opened with it and a key ring. It needs no epoch key, for keys are not unwrapped.
  ///   - database: the copy that is given, also with that schema.
  package init(from newer: any SQLDatabase, by newerVault: Vault, to database: any SQLDatabase, by vault: Vault) {
    (self.newer, self.newerVault, self.database, self.vault) = (newer, newerVault, database, vault)
  }

  /// - Returns: nil when the two are not of one installation.
  package func run() async throws -> Report? {
    let installation = try await newer.read { try DataKeyStore($0).digestKeys() }
    guard try await database.read({ try DataKeyStore($0).digestKeys() }) == installation else { return nil }
    let epochs = try await newer.read { try SubjectKeyStore($0).epochs() }
    try await database.write { tx in for epoch in epochs { try SubjectKeyStore(tx).begin(epoch) } }
    var (report, after) = (Report(), "")
    while true {
      let place = after
      let page = try await database.read { try SubjectKeyStore($0).all(after: place, limit: Self.pageMax) }
      guard let last = page.last else { return report }
      let given = try await newer.read { tx in
        try page.reduce(into: [:]) { $0[$1.id] = try SubjectKeyStore(tx).find($1.id) }
      }
      try await database.write { tx in
        let store = SubjectKeyStore(tx)
        for row in page {
          guard let found = given[row.id] else {
            _ = try store.delete(subject: row.subject)
            continue
          }
          try store.rewrap(resealed(found), from: row.epoch)
        }
      }
      report.taken += given.count
      report.erased += page.count - given.count
      after = last.id
    }
  }

  /// The outer one of the two locks is a data key, which the old copy may be without.
  private func resealed(_ row: SubjectKeyRow) throws -> SubjectKeyRow {
    var row = row
    let context = Vault.subjectKeyContext(row.id)
    row.wrapped = try vault.seal(newerVault.open(row.wrapped, context: context), context: context)
    return row
  }
}
