// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Rows of `casework_case`: one for each subject of a kind, opened again when the subject waits again.
package struct CaseStore {
  let tx: any SQLTransaction

  package init(_ tx: any SQLTransaction) { self.tx = tx }

  /// `priority` is kept as a column for the index; see `Case.priority`.
  package static let migration = Migration(
    "2026-11-26 casework",
    """
    CREATE TABLE casework_case (
      id TEXT PRIMARY KEY,
      desk_id TEXT NOT NULL,
      tenant_id TEXT NOT NULL,
      kind TEXT NOT NULL,
      subject_id TEXT NOT NULL,
      person_id TEXT NOT NULL,
      owner TEXT,
      state TEXT NOT NULL CHECK (state IN ('open', 'claimed', 'decided', 'withdrawn')),
      holder TEXT,
      risk BIGINT NOT NULL CHECK (risk BETWEEN 0 AND 100),
      reasons TEXT NOT NULL,
      priority BIGINT NOT NULL,
      opened_at BIGINT NOT NULL,
      due_at BIGINT NOT NULL,
      closed_at BIGINT,
      outcome TEXT,
      decided_by TEXT,
      version BIGINT NOT NULL,
      CHECK ((state = 'claimed') = (holder IS NOT NULL)),
      CHECK ((state IN ('decided', 'withdrawn')) = (closed_at IS NOT NULL))
    );
    CREATE UNIQUE INDEX casework_case_subject ON casework_case (subject_id, kind);
    CREATE INDEX casework_case_queue ON casework_case (desk_id, kind, priority, id) WHERE closed_at IS NULL;
    CREATE INDEX casework_case_holder ON casework_case (holder, priority, id) WHERE holder IS NOT NULL;
    CREATE INDEX casework_case_person ON casework_case (person_id);
    CREATE INDEX casework_case_closed ON casework_case (closed_at, id) WHERE closed_at IS NOT NULL;
    CREATE TABLE casework_note (
      id TEXT PRIMARY KEY,
      case_id TEXT NOT NULL REFERENCES casework_case (id),
      person_id TEXT NOT NULL,
      author TEXT NOT NULL,
      words BLOB NOT NULL,
      written_at BIGINT NOT NULL
    );
    CREATE INDEX casework_note_case ON casework_note (case_id, written_at, id);
    """)

  package static let bookedMigration = Migration(
    "2026-11-27 casework booked",
    """
    ALTER TABLE casework_case ADD COLUMN booked_with TEXT;
    CREATE INDEX casework_case_booked ON casework_case (booked_with, due_at, id)
      WHERE booked_with IS NOT NULL AND closed_at IS NULL;
    """)

  private static let columns: SQLColumns = """
    id, desk_id, tenant_id, kind, subject_id, person_id, owner, state, holder, booked_with, risk, reasons, opened_at,
      due_at, closed_at, outcome, decided_by, version
    """

  /// - Throws: `SQLError.outdated` when another transaction opened the case first.
  func insert(_ item: Case) throws {
    do {
      try tx.execute(
        """
        INSERT INTO casework_case (
          id, desk_id, tenant_id, kind, subject_id, person_id, owner, state, holder, booked_with, risk, reasons,
          priority, opened_at, due_at, closed_at, outcome, decided_by, version)
        VALUES (
          \(item.id), \(item.desk), \(item.tenant), \(item.kind), \(item.subject), \(item.person), \(item.owner),
          \(item.state), \(item.holder), \(item.bookedWith), \(item.risk), \(item.reasons.joined(separator: " ")),
          \(item.priority), \(item.openedAt), \(item.dueAt), \(item.closedAt), \(item.outcome), \(item.decidedBy),
          \(item.version))
        """)
    } catch SQLError.notUnique {
      throw SQLError.outdated
    }
  }

  /// Writes what moves change, on condition that the row is as it was when it was read.
  /// - Throws: `SQLError.outdated`.
  func save(_ item: Case) throws {
    let changed = try tx.execute(
      """
      UPDATE casework_case SET state = \(item.state), holder = \(item.holder), booked_with = \(item.bookedWith),
        risk = \(item.risk), reasons = \(item.reasons.joined(separator: " ")), priority = \(item.priority),
        opened_at = \(item.openedAt), due_at = \(item.dueAt), closed_at = \(item.closedAt), outcome = \(item.outcome),
        decided_by = \(item.decidedBy), version = version + 1
      WHERE id = \(item.id) AND version = \(item.version)
      """)
    guard changed == 1 else { throw SQLError.outdated }
  }

  /// Takes the row without a change: of two transactions that do, the later one runs again and sees what the first one
  /// wrote.
  /// - Throws: `SQLError.outdated`.
  func take(_ item: Case) throws {
    let taken = try tx.execute(
      "UPDATE casework_case SET version = version WHERE id = \(item.id) AND version = \(item.version)")
    guard taken == 1 else { throw SQLError.outdated }
  }

  package func find(_ id: Case.ID) throws -> Case? {
    try tx.first("SELECT \(Self.columns) FROM casework_case WHERE id = \(id)").map(Self.item)
  }

  package func find(subject: String, kind: CaseKind) throws -> Case? {
    try tx.first(
      "SELECT \(Self.columns) FROM casework_case WHERE subject_id = \(subject) AND kind = \(kind)"
    ).map(Self.item)
  }

  /// Every case of a subject, whatever its kind; few.
  func all(subject: String) throws -> [Case] {
    try tx.query(
      "SELECT \(Self.columns) FROM casework_case WHERE subject_id = \(subject) ORDER BY kind LIMIT 20"
    ).map(Self.item)
  }

  /// Which of these persons have the e-mail address of a member of staff.
  /// - Parameter owner: keyed digest of the address.
  func persons(_ persons: [String], ownedBy owner: String) throws -> Set<String> {
    guard !persons.isEmpty else { return [] }
    return Set(
      try tx.query(
        "SELECT person_id FROM casework_case WHERE person_id IN \(list: persons) AND owner = \(owner)"
      ).map { try $0.get("person_id", as: String.self) })
  }

  // MARK: The queue

  /// What of one kind waits at a desk, in the order of the queue.
  static func waiting(_ kind: CaseKind, of question: CaseQuestion, limit: Int) -> SQL {
    """
    SELECT \(columns) FROM casework_case
    WHERE desk_id = \(question.desk) AND kind = \(kind) AND closed_at IS NULL
      AND (priority, id) > (\(question.after.priority), \(question.after.id)) AND priority < \(question.before)
      AND due_at < \(question.before)
      AND (\(question.state?.rawValue ?? "") = '' OR state = \(question.state?.rawValue ?? ""))
      AND (\(question.tenant ?? "") = '' OR tenant_id = \(question.tenant ?? ""))
      AND (owner IS NULL OR owner <> \(question.owner))
      AND (booked_with IS NULL OR due_at < \(question.calls.othersUntil)
        OR (booked_with IN (\(question.calls.agent), \(Case.handedBack)) AND due_at < \(question.calls.ownUntil)))
    ORDER BY priority, id LIMIT \(limit)
    """
  }

  /// What of the calls of the agent in the question waits now, in the order of time.
  static func booked(of question: CaseQuestion, limit: Int) -> SQL {
    """
    SELECT \(columns) FROM casework_case
    WHERE booked_with = \(question.calls.agent) AND due_at < \(question.calls.ownUntil) AND closed_at IS NULL
      AND desk_id = \(question.desk) AND kind IN \(list: question.kinds) AND state = 'open'
      AND (owner IS NULL OR owner <> \(question.owner))
    ORDER BY due_at, id LIMIT \(limit)
    """
  }

  /// What a member of staff holds at a desk, in the order of the queue.
  static func held(by holder: String, of question: CaseQuestion, limit: Int) -> SQL {
    """
    SELECT \(columns) FROM casework_case
    WHERE holder = \(holder) AND (priority, id) > (\(question.after.priority), \(question.after.id))
      AND desk_id = \(question.desk) AND due_at < \(question.before) AND kind IN \(list: question.kinds)
      AND (\(question.tenant ?? "") = '' OR tenant_id = \(question.tenant ?? ""))
    ORDER BY priority, id LIMIT \(limit)
    """
  }

  func cases(_ statement: SQL) throws -> [Case] { try tx.query(statement).map(Self.item) }

  // MARK: Forgetting

  /// Deletes the cases of a person with their notes.
  func deleteAll(of person: String) throws {
    try tx.execute(
      """
      DELETE FROM casework_note WHERE case_id IN (SELECT id FROM casework_case WHERE person_id = \(person))
      """)
    try ReceiptStore(tx).deleteAll(of: person)
    try tx.execute("DELETE FROM casework_case WHERE person_id = \(person)")
  }

  /// Deletes cases that were closed before an instant.
  static func sweep(before instant: Instant, limit: Int, in tx: any SQLTransaction) throws -> Int {
    let ids: [Case.ID] = try tx.query(
      """
      SELECT id FROM casework_case WHERE closed_at IS NOT NULL AND closed_at < \(instant)
      ORDER BY closed_at, id LIMIT \(limit)
      """
    ).map { try $0.get("id") }
    guard !ids.isEmpty else { return 0 }
    try tx.execute("DELETE FROM casework_note WHERE case_id IN \(list: ids)")
    try ReceiptStore.deleteAll(of: ids, in: tx)
    return try tx.execute("DELETE FROM casework_case WHERE id IN \(list: ids)")
  }

  private static func item(_ row: SQLRow) throws -> Case {
    let reasons: String = try row.get("reasons")
    return Case(
      id: try row.get("id"), desk: try row.get("desk_id"), tenant: try row.get("tenant_id"),
      kind: try row.get("kind"), subject: try row.get("subject_id"), person: try row.get("person_id"),
      owner: try row.get("owner"), state: try row.get("state"), holder: try row.get("holder"),
      bookedWith: try row.get("booked_with"), risk: try row.get("risk"),
      reasons: reasons.split(separator: " ").map(String.init),
      openedAt: try row.get("opened_at"), dueAt: try row.get("due_at"), closedAt: try row.get("closed_at"),
      outcome: try row.get("outcome"), decidedBy: try row.get("decided_by"), version: try row.get("version"))
  }
}

/// What a page of the queue is asked for.
struct CaseQuestion: Sendable {
  let desk: String
  var kinds: [CaseKind]
  /// Nil is whatever waits.
  var state: CaseState?
  /// Which booked calls are among them.
  var calls = CaseCalls()
  /// As flows name it; nil is each.
  var tenant: String?
  /// The page begins behind it.
  var after = CaseCursor.first
  /// Milliseconds: only what was due before. A case is never before its due time by its priority, so the index ends
  /// the search.
  var before = Int64.max
  /// Keyed digest of the address of who asks: their own cases are left out.
  let owner: String
}

/// Booked calls as far as they are for an agent now; each unless it is said.
struct CaseCalls: Sendable {
  var agent = ""
  /// The agent's own are those that begin before.
  var ownUntil = Instant(milliseconds: .max)
  /// Colleagues' are those that began before.
  var othersUntil = Instant(milliseconds: .max)
}

/// A place in the order of the queue.
package struct CaseCursor: Sendable, Equatable {
  let priority: Int64
  let id: String

  package init(priority: Int64, id: String) { (self.priority, self.id) = (priority, id) }

  static let first = CaseCursor(priority: .min, id: "")
}
