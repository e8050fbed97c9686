// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Applications as operators may see them: without the sealed content.
package struct ApplicationReader: Sendable {
  package struct Summary: Sendable {
    package let id: String
    package let tenant: Int
    package let bundle: String
    package let needsKYC: Bool
    package let status: ApplicationStatus
    package let failures: Int
    package let codes: [String]
    /// Which updates were made.
    package let updates: [String]
    package let hasDocuments: Bool
    package let hasSelfie: Bool
    package let user: String?
    package let customer: String?
  }

  let core: CoreDependencies

  /// - Throws: `Problem` not found; invalid argument.
  package func look(_ name: String, by actor: String) async throws -> Summary {
    let id = try OnboardingService.id(name)
    return try await core.database.write(retrying: .outdated) { tx in
      guard let found = try OnboardingStore(tx, vault: core.vault).find(id) else { throw OnboardingService.unknown }
      try core.note("application.looked_at", id.rawValue, by: actor, RecordAccess.search.facts, in: tx)
      return Summary(
        id: id.rawValue, tenant: found.tenant, bundle: found.bundle, needsKYC: found.needsKYC, status: found.status,
        failures: found.failures, codes: found.codes.map(\.rawValue),
        updates: UpdateKind.allCases.filter(found.has).map(\.rawValue),
        hasDocuments: found.content.evidence.documents != nil, hasSelfie: found.content.evidence.selfie != nil,
        user: found.user?.rawValue, customer: found.customer)
    }
  }
}
