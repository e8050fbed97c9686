// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage

/// Checks the audit log by itself and, where there is an anchor, against the checkpoints that it holds. These also show
/// what a person with the key ring changed or removed. Servers may go on meanwhile.
package struct AuditVerifier: Sendable {
  /// How much older than a checkpoint a line may be that is not in it: its transaction was open then. Also by how much
  /// the clocks of two machines may differ.
  static let slack = Duration.minutes(10)
  /// How old the last checkpoint may be: the job makes one every hour, and tries every five minutes.
  static let ageMax = Duration.hours(2)
  /// Faults of the checkpoints that are listed.
  static let faultsMax = 100

  let database: any SQLDatabase
  let vault: Vault
  let world: World
  let anchor: AuditAnchor?
  let stamps: AuditStamps?

  package init(
    database: any SQLDatabase, vault: Vault, world: World, anchor: AuditAnchor?, stamps: AuditStamps? = nil
  ) {
    (self.database, self.vault, self.world) = (database, vault, world)
    (self.anchor, self.stamps) = (anchor, stamps)
  }

  /// - Parameter since: the first checkpoint that is read, for those who checked the ones before; lines that are older
  ///   than it are compared with none, and nothing is added up. That the ones before are not there is a fault.
  package func run(since: Int = 1, progress: WorkProgress? = nil) async throws -> AuditReport {
    // Before the checkpoints: one that comes meanwhile is there before its stamp.
    let stamped = try stamps.map { try $0.numbers() } ?? []
    let all = try await anchor?.numbers() ?? []
    let numbers = all.filter { $0 >= since }
    // An attacker who can write the database can delete the mark that it was sealed.
    let isKnownSealed = vault.isAuditSealed || !all.isEmpty
    var report = try await database.read { [vault] in
      try AuditStore($0).verify(by: vault, isKnownSealed: isKnownSealed, progress: progress)
    }
    guard let anchor else { return report }
    var found = Found()
    found.isPartial = all.count > numbers.count
    found.dropped = try await database.read { try AuditStore($0).dropped() }
    do {
      compare(all.last, with: try await database.read { try AuditCheckpointStore($0).last() }, &found)
    } catch SQLError.unreadable(let why) {
      found.add("the database's row of its last checkpoint cannot be read (\(why))")
    }
    // Those who checked the ones before know of them when database and place are set back together.
    if since > 1, all.last ?? 0 < since - 1 {
      found.add("checkpoint \(since - 1) was checked, and the anchors end at checkpoint \(all.last ?? 0)")
    }
    if let start = all.first, let end = numbers.last {
      // The last one that was checked before has to be there too, unless this place begins later: a gap may begin with
      // the first that is read.
      let first = max(start, max(since, 1) - 1)
      // Not all numbers between: an attacker who can add a file to the place can name the last one that there is.
      let held = Set(all.drop { $0 < first })
      if held.count != end - first + 1 {
        let missing = Array((first...end).lazy.filter { !held.contains($0) }.prefix(10)).map(String.init)
        found.add("the anchors lack checkpoint \(missing.joined(separator: ", "))")
      }
    }
    progress?.begin("checkpoints", of: numbers.count)
    for number in numbers {
      try await check(number, in: anchor, &found)
      progress?.advance()
    }
    if let at = found.wholeAt { try await checkCover(before: at - Self.slack, upTo: all.last, &found) }
    if let at = found.lastAt {
      if at > world.now() + Self.slack { found.add("the last checkpoint is of the future: \(at.rfc3339)") }
      if at < world.now() - Self.ageMax { found.add("there is no checkpoint since \(at.rfc3339)") }
    }
    for (head, fault) in found.gone {
      guard let dropped = found.dropped.chains[head.chain] else {
        found.add(fault)
        continue
      }
      // A chain that was cut back before the server was made to delete it had fewer lines then.
      if !dropped.held(head) { found.add("\(fault): it was deleted by rule when it had other lines") }
    }
    report.checkpoints = numbers.count
    report.anchoredAt = found.lastAt?.rfc3339
    report.stamps = stamps.map { _ in found.stamps.count }
    (report.firstStampAt, report.lastStampAt) = (found.stamps.min()?.rfc3339, found.stamps.max()?.rfc3339)
    report.faults += found.faults
    // An attacker who deletes a checkpoint would have to delete its stamp, too. One line tells all of them.
    let gone = Set(stamped).subtracting(all).sorted()
    if !gone.isEmpty {
      let more = gone.count > 10 ? " and \(gone.count - 10) more" : ""
      report.faults.append(
        "only the time stamp is there of checkpoint \(gone.prefix(10).map(String.init).joined(separator: ", "))\(more)")
    }
    return report
  }

  /// Whether the place and the database end at the same checkpoint.
  private func compare(_ held: Int?, with last: AuditCheckpointStore.Row?, _ found: inout Found) {
    let lastAnchored = last.map { $0.anchoredAt == nil ? $0.number - 1 : $0.number } ?? 0
    if (held ?? 0) < lastAnchored {
      found.add("the anchors end at checkpoint \(held ?? 0), the database took \(lastAnchored) there")
    }
    if let held, held > last?.number ?? 0 {
      found.add("the anchors go on to checkpoint \(held), the database knows \(last?.number ?? 0): it was set back")
    }
  }

  /// What the checkpoints say.
  private struct Found {
    var faults: [String] = []
    /// Of the document before: its number and digest.
    var previous: (number: Int, digest: String)?
    var lastAt: Instant?
    /// Times of the stamps that fit their checkpoints.
    var stamps: [Instant] = []
    /// Whether checkpoints before the first one that is read are left out, and when that one was made.
    var isPartial = false
    var firstAt: Instant?
    /// When the last checkpoint was made with which every chain is in one.
    var wholeAt: Instant?
    /// How far each chain is anchored, by the digest of its first line.
    var anchored: [String: Int] = [:]
    /// Sum of `anchored`, without the chains that were deleted by rule until then.
    var totals = (chains: 0, lines: 0)
    var dropped = AuditStore.Dropped()
    /// Heads of chains that are not there, with what to say unless they were dropped.
    var gone: [(head: AuditCheckpoint.Head, fault: String)] = []

    mutating func add(_ fault: String) {
      if faults.count < AuditVerifier.faultsMax { faults.append(fault) }
    }

    mutating func note(_ head: AuditCheckpoint.Head, _ state: AnchoredChain, in number: Int) {
      let before = anchored[head.chain] ?? 0
      anchored[head.chain] = max(before, head.sequence)
      totals.chains += before == 0 ? 1 : 0
      totals.lines += max(0, head.sequence - before)
      switch state {
      case .kept: break
      case .changed(let chain):
        add("\(chain): line \(head.sequence) is not the one that checkpoint \(number) holds")
      case .shorter(let chain): add("\(chain): line \(head.sequence), which checkpoint \(number) holds, is gone")
      case .gone:
        let fault = """
          a chain of \(head.sequence.counted("line", "lines")) that checkpoint \(number) holds is gone, or its first \
          line was changed (\(head.chain.prefix(16)))
          """
        gone.append((head, fault))
      }
    }
  }

  /// Compares what the heads of all checkpoints add up to with what the log was when this one was made.
  private func checkTotals(of checkpoint: AuditCheckpoint, _ found: inout Found) {
    guard let totals = checkpoint.totals, !found.isPartial else { return }
    let own = found.dropped.ownFirst.flatMap { found.anchored[$0] } ?? 0
    while let next = found.dropped.pending.first, next.sequence <= own {
      found.dropped.pending = found.dropped.pending.dropFirst()
      guard let lines = found.anchored.removeValue(forKey: next.first) else { continue }
      found.totals = (found.totals.chains - 1, found.totals.lines - lines)
    }
    guard found.totals != (totals.chains, totals.lines) else { return }
    found.add(
      """
      checkpoint \(checkpoint.number) counts \(totals.lines.counted("line", "lines")) of \
      \(totals.chains.counted("chain", "chains")), and the checkpoints hold \(found.totals.lines) of \
      \(found.totals.chains): something was kept from them
      """)
  }

  private func check(_ number: Int, in anchor: AuditAnchor, _ found: inout Found) async throws {
    guard let document = try await anchor.get(number) else { return found.add("checkpoint \(number) is missing") }
    let digest = document.sha256Hex
    defer { found.previous = (number, digest) }
    let checkpoint: AuditCheckpoint
    do { checkpoint = try AuditCheckpoint(document, by: vault) } catch let unsound as AuditCheckpoint.Unsound {
      return found.add("checkpoint \(number) \(unsound.text)")
    }
    guard checkpoint.number == number else { return found.add("checkpoint \(number) says that it is another") }
    if let previous = found.previous {
      if previous.number == number - 1, checkpoint.previous != previous.digest {
        found.add("checkpoint \(number) does not follow checkpoint \(number - 1)")
      }
    } else if checkpoint.previous != nil, !found.isPartial {
      found.add("the anchors lack what was before checkpoint \(number)")
    }
    found.lastAt = Instant(milliseconds: checkpoint.at)
    found.firstAt = found.firstAt ?? found.lastAt
    if checkpoint.isWhole { found.wholeAt = found.lastAt }
    try await checkStamp(of: checkpoint, document, &found)
    do {
      let known = try await database.read { try AuditCheckpointStore($0).known(number) }
      if known?.digest != digest { found.add("checkpoint \(number) is not the one that this database made") }
      if let known, known.at != found.lastAt { found.add("checkpoint \(number) has another time in the database") }
    } catch SQLError.unreadable(let why) {
      found.add("the database's row of checkpoint \(number) cannot be read (\(why))")
    }
    var start = 0
    while start < checkpoint.heads.count {
      let heads = Array(checkpoint.heads[start..<min(start + 500, checkpoint.heads.count)])
      let states = try await database.read { tx in try heads.map { try AuditStore(tx).state(of: $0) } }
      for (head, state) in zip(heads, states) { found.note(head, state, in: number) }
      start += heads.count
    }
    checkTotals(of: checkpoint, &found)
  }

  /// A checkpoint without a stamp is a fault for those who name an authority, once the stamp has had time to come.
  private func checkStamp(
    of checkpoint: AuditCheckpoint, _ document: Data, _ found: inout Found
  ) async throws {
    guard let stamps else { return }
    let at = Instant(milliseconds: checkpoint.at)
    do {
      if let stamp = try await stamps.check(checkpoint.number, document, at: at) {
        found.stamps.append(stamp)
      } else if stamps.authority != nil, at < world.now() - Self.ageMax || at > world.now() + Self.slack {
        found.add("checkpoint \(checkpoint.number) has no time stamp")
      }
    } catch let unsound as Timestamp.Unsound {
      found.add("the time stamp of checkpoint \(checkpoint.number) \(unsound.text)")
    }
  }

  /// Finds lines that are older than the last checkpoint and in none: they were put there afterwards, or kept from it.
  /// Also those that were in one of which neither place nor database knows any more.
  private func checkCover(before: Instant, upTo held: Int?, _ found: inout Found) async throws {
    var (after, places) = ("", Set<String>())
    while places.insert(after).inserted {
      let (place, anchored, isPartial) = (after, found.anchored, found.isPartial)
      let start = found.isPartial ? found.firstAt ?? before : Instant(milliseconds: .min)
      let page = try await database.read { tx in
        let heads = try tx.query(
          """
          SELECT audit_head.chain, audit_head.anchored, audit_line.digest FROM audit_head
          LEFT JOIN audit_line ON audit_line.chain = audit_head.chain AND audit_line.sequence = 1
          WHERE audit_head.chain > \(place) ORDER BY audit_head.chain LIMIT 500
          """)
        // Of a checkpoint that came meanwhile the row is there before heads speak of it.
        let isLast = try !isPartial && AuditCheckpointStore(tx).lastNumber() == held
        return try heads.compactMap { row -> (chain: String, line: Int?, lost: Bool)? in
          // The walk over the chains told of what is no name, no digest and no number.
          guard let chain = try? row.get("chain", as: String.self) else { return nil }
          guard !chain.holdsNUL else { return (chain, nil, false) }
          let covered = anchored[(try? row.get("digest", as: String?.self)) ?? ""] ?? 0
          let line = try tx.first(
            """
            SELECT sequence FROM audit_line
            WHERE chain = \(chain) AND sequence > \(covered) AND at < \(before) AND at >= \(start)
            ORDER BY sequence LIMIT 1
            """)
          let isLost = isLast && (try? row.get("anchored", as: Int.self)) ?? 0 > covered
          return (chain, try? line?.get("sequence", as: Int.self), isLost)
        }
      }
      for (name, line, isLost) in page {
        let chain = AuditStore.shown(name)
        if let line { found.add("\(chain): line \(line) is older than the last checkpoint, and none holds it") }
        if isLost { found.add("\(chain): its head says that more is anchored than the checkpoints hold: one is gone") }
      }
      guard let last = page.last else { return }
      after = AuditStore.place(behind: last.chain)
    }
  }
}

/// What became of a chain since a checkpoint.
private enum AnchoredChain: Sendable {
  case kept
  case changed(chain: String)
  case shorter(chain: String)
  case gone
}

extension AuditStore {
  fileprivate func state(of head: AuditCheckpoint.Head) throws -> AnchoredChain {
    guard
      let row = try tx.first(
        """
        SELECT opening.chain, line.digest FROM audit_line opening
        LEFT JOIN audit_line line ON line.chain = opening.chain AND line.sequence = \(head.sequence)
        WHERE opening.sequence = 1 AND opening.digest = \(head.chain)
        """)
    else { return .gone }
    // An attacker's copy of a first line may be in a chain that is called by no text.
    let chain = Self.shown((try? row.get("chain", as: String.self)) ?? "a chain without a name")
    let digest = try? row.get("digest", as: String?.self)
    guard let digest else { return .shorter(chain: chain) }
    return digest == head.digest ? .kept : .changed(chain: chain)
  }

  /// The chains that were deleted by rule.
  fileprivate struct Dropped {
    struct Chain {
      /// Of its last line; nil in lines of the first format, which name the first line alone.
      var length: Int?
      var digest: String?

      func held(_ head: AuditCheckpoint.Head) -> Bool {
        guard let length, let digest else { return true }
        return head.sequence < length || head.sequence == length && head.digest == digest
      }
    }

    /// By the digests of their first lines.
    var chains: [String: Chain] = [:]
    /// Those that no checkpoint was compared with yet, each with the line of the log's own chain that tells of it.
    var pending: ArraySlice<(first: String, sequence: Int)> = []
    /// Digest of the first line of the log's own chain.
    var ownFirst: String?

    mutating func add(_ stored: StoredAuditLine) {
      ownFirst = ownFirst ?? stored.digest
      guard stored.line.action == Audit.droppedAction, let listed = stored.line.facts["chains"] else { return }
      for chain in listed.split(separator: " ") {
        let parts = chain.split(separator: "/").map(String.init)
        guard let first = parts.first else { continue }
        chains[first] = parts.count == 3 ? Chain(length: Int(parts[1]), digest: parts[2]) : Chain()
        pending.append((first, stored.line.sequence))
      }
    }
  }

  fileprivate func dropped() throws -> Dropped {
    var dropped = Dropped()
    // Of a line that cannot be read the walk over the chains told. What is behind it explains no deletion.
    do { try forEachLine(of: Audit.ownChain) { dropped.add($0) } } catch SQLError.unreadable {}
    return dropped
  }
}
