import Storage

/// Which steps of the schema were made.
struct SchemaStore {
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  /// Whether every step that this program knows was made. A newer program may have made more.
  func holds(_ migrations: [Migration]) throws -> Bool {
    let applied = Set(try tx.query("SELECT id FROM schema_migration").map { try $0.get("id", as: String.self) })
    return migrations.allSatisfy { applied.contains($0.id) }
  }
}
