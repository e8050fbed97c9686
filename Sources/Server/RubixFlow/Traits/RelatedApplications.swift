// SPDX-License-Identifier: Apache-2.0

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

/// Finds applications that may be of the same person, or with the same document or device: a hint for the person who
/// decides, which decides nothing.
struct RelatedApplications {
  static let applicationsMax = 20

  let tx: any SQLTransaction
  let vault: Vault

  /// Applications that share a document or a picture first, then those that share most, then the newest.
  func all(of application: Application) throws -> [RelatedApplication] {
    let (store, traits) = (ApplicationStore(tx, vault: vault), TraitStore(tx, vault: vault))
    var shared: [Application.ID: Set<Trait.Kind>] = [:]
    let phones = try store.withContact(
      application.applicant.contactNo, tenant: application.tenant, except: application.id)
    for id in phones { shared[id, default: []].insert(.phone) }
    for kind in [Trait.Kind.device, .document, .picture] {
      for id in try traits.shared(kind, with: application.id) { shared[id, default: []].insert(kind) }
    }
    for id in try traits.alike(to: application.id) { shared[id, default: []].insert(.picture) }
    func rank(_ id: Application.ID, _ kinds: Set<Trait.Kind>) -> (Int, Int, String) {
      (kinds.count(where: \.isOfPerson), kinds.count, id.rawValue)
    }
    let first = shared.sorted { rank($0.key, $0.value) > rank($1.key, $1.value) }.prefix(Self.applicationsMax)
    return try first.compactMap { id, kinds in
      guard let found = try store.outline(id, tenant: application.tenant) else { return nil }
      return RelatedApplication(
        id: id, status: found.phase.status, createdAt: found.createdAt,
        shared: Trait.Kind.allCases.filter(kinds.contains))
    }
  }
}
