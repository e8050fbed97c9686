import Storage

extension OutboxStore {
  /// Forgets what is owed about a subject, whoever holds it now. An effect under way finds nothing left to cross off.
  @discardableResult
  package func forget(subject: String) throws -> Int {
    try tx.execute("DELETE FROM outbox WHERE subject = \(subject)")
  }
}
