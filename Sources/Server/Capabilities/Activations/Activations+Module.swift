// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

extension Activations: StoredModule {
  package static var migrations: [Migration] { [migration, policyMigration, SignedTextStore.migration] }

  /// How the keys of users name their tenants.
  static let system = "powerauth"

  /// A user's key seals what says who they are. What a device proves itself by says nothing of a person, and stays
  /// under data keys.
  package static let sealedColumns = [
    SealedColumn(
      "activation", "sealed_details", of: "user_digest",
      tenant: "(SELECT a.tenant FROM powerauth_application a WHERE a.id = activation.application_id)", system: system),
    SealedColumn(
      "recovery_code", "sealed_user", of: "user_digest",
      tenant: "(SELECT a.tenant FROM powerauth_application a WHERE a.id = recovery_code.application_id)",
      system: system),
    SealedColumn("activation_signed_text", "sealed_text", of: "user_digest", tenant: "tenant", system: system),
  ]

  package var jobs: [ScheduledJob] { [ScheduledJob("lapsed-activations") { try await sweepLapsed() }] }

  package var retention: [ScheduledJob] { [ScheduledJob("spent-proofs") { try await sweep() }] }
}
