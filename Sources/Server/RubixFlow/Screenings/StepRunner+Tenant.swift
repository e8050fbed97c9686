import Kit
import Storage

extension StepRunner {
  /// The institution of a customer known by id only; nil when there is no such customer or institution any more.
  func tenant(of id: Application.ID, in tx: any SQLTransaction) throws -> Tenant? {
    guard let tenant = try ApplicationStore(tx, vault: parts.vault).tenant(of: id) else { return nil }
    return parts.tenants.all.first { $0.id == tenant }
  }
}
