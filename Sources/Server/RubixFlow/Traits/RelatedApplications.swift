import Kit
import RubixWire
import Storage

/// Another application of the same institution, and what it shares with one.
package struct RelatedApplication: Sendable, Equatable {
  package let id: Application.ID
  package let status: OnboardingStatus
  package let createdAt: Instant
  /// In the order of `Trait.Kind`.
  package let shared: [Trait.Kind]
}

/// Finds applications that may be of the same person, or with the same document or device: a hint for whoever decides,
/// which decides nothing.
struct RelatedApplications {
  static let applicationsMax = 20

  let tx: any SQLTransaction
  let vault: Vault

  /// Those that share most first, then the newest.
  func all(of application: Application) throws -> [RelatedApplication] {
    let store = ApplicationStore(tx, vault: vault)
    var shared: [Application.ID: Set<Trait.Kind>] = [:]
    let phones = try store.withContact(
      application.applicant.contactNo, tenant: application.tenant, except: application.id)
    for id in phones { shared[id, default: []].insert(.phone) }
    for (id, kind) in try TraitStore(tx, vault: vault).shared(with: application.id) {
      shared[id, default: []].insert(kind)
    }
    let first = shared.sorted { ($0.value.count, $0.key.rawValue) > ($1.value.count, $1.key.rawValue) }
      .prefix(Self.applicationsMax)
    return try first.compactMap { id, kinds in
      guard let found = try store.outline(id, tenant: application.tenant) else { return nil }
      return RelatedApplication(
        id: id, status: found.phase.status, createdAt: found.createdAt,
        shared: Trait.Kind.allCases.filter(kinds.contains))
    }
  }
}
