/// What a storage engine refused, reduced to what a caller can act on. Never carries a bound value.
package enum SQLError: Error, Sendable, Equatable {
  /// A UNIQUE or PRIMARY KEY constraint; the text names columns or the constraint.
  case notUnique(String)
  /// A CHECK, NOT NULL or FOREIGN KEY constraint.
  case constraint(String)
  /// Another writer held the database for longer than the engine waits.
  case busy
  /// A row does not hold what the code expects of it.
  case unreadable(String)
  /// A released migration was edited, or the schema is newer than this program.
  case schema(String)
  case engine(String)
}
