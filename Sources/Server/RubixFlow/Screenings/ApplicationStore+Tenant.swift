import Kit
import Storage

extension ApplicationStore {
  /// Whose customer it is, for callers that know only the id: providers and the worker. Nil when there is none.
  func tenant(of id: Application.ID) throws -> String? {
    try tx.first("SELECT tenant_id FROM rubix_application WHERE id = \(id)")?.get("tenant_id")
  }
}
