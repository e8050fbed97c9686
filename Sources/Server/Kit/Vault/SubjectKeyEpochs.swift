// SPDX-License-Identifier: Apache-2.0

import Storage

/// Begins epochs, wraps the keys of persons in the present one, and destroys the keys of those that are long over. Every
/// process does it: each has its own copy of the epoch key.
package struct SubjectKeyEpochs: Sendable {
  /// Keys that one transaction wraps.
  static let pageMax = 500
  /// How long an epoch has to be over before its key may be destroyed: a transaction that began before may still wrap a
  /// key in it.
  package static let settled = Duration.minutes(10)

  let database: any SQLDatabase
  let vault: Vault
  let keys: SubjectKeys
  let world: World

  /// - Returns: nil for a vault without keys of persons.
  package init?(_ database: any SQLDatabase, vault: Vault, world: World) {
    guard let keys = vault.subjectKeys else { return nil }
    (self.database, self.vault, self.keys, self.world) = (database, vault, keys, world)
  }

  /// What was done by one run.
  package struct Report: Sendable, Equatable {
    /// The epoch in which keys are wrapped now.
    package var epoch = 0
    /// Keys that were wrapped anew.
    package var rewrapped = 0
    /// The earliest epoch whose keys can still be unwrapped here.
    package var earliest = 0
  }

  /// Does what is due. It can end at any instant and goes on with the next run.
  /// - Parameters:
  ///   - advancing: begins a new epoch now.
  ///   - destroying: destroys the keys of epochs as soon as they are settled, after which older copies of the database
  ///     need the keys of persons of a newer one.
  @discardableResult
  package func run(
    advancing: Bool = false, destroying: Bool = false, progress: WorkProgress? = nil
  ) async throws -> Report {
    guard let current = try await database.read({ try SubjectKeyStore($0).currentEpoch() }) else { return Report() }
    try keys.check(current)
    var report = Report(epoch: max(current.number, keys.earliestEpoch))
    if advancing || world.now() >= current.beganAt + SubjectKeys.epochLength || report.epoch > current.number {
      report.epoch = max(current.number + 1, keys.earliestEpoch)
      let next = SubjectKeyStore.Epoch(
        number: report.epoch, beganAt: world.now(), fingerprint: try keys.epochKey(report.epoch).fingerprint)
      let hasBegun = try await database.write { try SubjectKeyStore($0).begin(next) }
      // Another process was faster, perhaps with a key that was prepared. What is wrapped in its epoch under the former
      // one no process opens.
      if !hasBegun, let present = try await database.read({ try SubjectKeyStore($0).currentEpoch() }) {
        try keys.check(present)
        report.epoch = max(present.number, keys.earliestEpoch)
      }
    }
    report.rewrapped = try await rewrap(in: report.epoch, progress)
    try await destroy(kept: destroying ? Self.settled : SubjectKeys.epochKept)
    report.earliest = keys.earliestEpoch
    return report
  }

  /// Adds a key to this machine's file that is to take the place of the epoch key.
  /// - Throws: `Problem` conflict when one is prepared or has taken over and is needed beside the former one, or when
  ///   keys of persons have not begun.
  package func prepareNext() async throws {
    guard let current = try await database.read({ try SubjectKeyStore($0).currentEpoch() }) else {
      throw Self.noEpoch
    }
    try keys.check(current)
    guard !keys.hasBegunAnew else {
      throw Problem(
        .conflict, "former-key-kept",
        "The former key is still kept. Run `gatehouse keys advance --destroy` on every node before another one.")
    }
    guard try keys.file.prepareNext(world: world) else {
      throw Problem(
        .conflict, "key-prepared",
        "A key is prepared in \(keys.file.path) already: copy that file to every other node.")
    }
  }

  /// Begins an epoch with the key that was prepared, and wraps every person's key in it. Interrupted, the epoch has
  /// begun or it has not; what is not wrapped in it by then any process wraps, as in every epoch.
  /// - Parameter note: in the transaction that begins the epoch.
  /// - Throws: `Problem` conflict `no-key-prepared`; `no-epoch` when keys of persons have not begun.
  package func beginNext(
    progress: WorkProgress? = nil,
    noting note: @escaping @Sendable (_ epoch: Int, any SQLTransaction) throws -> Void
  ) async throws -> Report {
    guard let current = try await database.read({ try SubjectKeyStore($0).currentEpoch() }) else {
      throw Self.noEpoch
    }
    try keys.check(current)
    guard !keys.hasBegunAnew, let next = try keys.file.readNext() else {
      throw Problem(
        .conflict, "no-key-prepared",
        "No key was prepared: run `gatehouse keys replace-epoch-key --prepare`, and copy the file, first.")
    }
    try await database.write(retrying: .outdated) { [keys, world] tx in
      let store = SubjectKeyStore(tx)
      let present = try store.currentEpoch() ?? current
      guard present.fingerprint == current.fingerprint else {
        throw Problem(.conflict, "epoch-began", "Another process began an epoch meanwhile. Run the command again.")
      }
      let number = max(present.number, keys.earliestEpoch) + 1
      let epoch = SubjectKeyStore.Epoch(
        number: number, beganAt: world.now(), fingerprint: next.beginning(number).fingerprint)
      guard try store.begin(epoch) else { throw SQLError.outdated }
      try note(number, tx)
    }
    return try await run(progress: progress)
  }

  private static let noEpoch = Problem(
    .conflict, "no-epoch", "Keys of persons have not begun: `gatehouse keys subjects` begins them.")

  private func rewrap(in epoch: Int, _ progress: WorkProgress?) async throws -> Int {
    if let progress {
      progress.begin("keys", of: try await database.read { try SubjectKeyStore($0).count(before: epoch) })
    }
    var count = 0
    while true {
      try Task.checkCancellation()
      // Keys of a database that was restored from too old a copy may be of epochs that are gone.
      let page = try await database.read { [earliest = keys.earliestEpoch] in
        try SubjectKeyStore($0).wrapped(in: earliest..<max(epoch, earliest), limit: Self.pageMax)
      }
      let anew = try page.map { ($0.epoch, try vault.rewrapped($0, in: epoch)) }
      try await database.write(.readCommitted) { tx in
        for (former, row) in anew { try SubjectKeyStore(tx).rewrap(row, from: former) }
      }
      progress?.advance(by: page.count)
      count += page.count
      if page.count < Self.pageMax { return count }
    }
  }

  /// Destroys the keys of epochs that were over for so long, up to the first one that a row still needs.
  private func destroy(kept: Duration) async throws {
    let (horizon, earliest) = (world.now() - kept, keys.earliestEpoch)
    let needed = try await database.read { tx -> Int? in
      let store = SubjectKeyStore(tx)
      guard let present = try store.lastEpoch(begunBy: horizon)?.number else { return nil }
      return try min(present, store.earliestEpoch(from: earliest) ?? present)
    }
    if let needed { try keys.destroy(before: needed) }
  }
}
