// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Staff, service clients, sessions and one-time codes.
package struct IdentityModule: StoredModule {
  let database: any SQLDatabase
  let world: World
  let passcodes: Passcodes
  let staff: Staff
  let serviceClients: ServiceClients

  package init(
    database: any SQLDatabase, world: World, passcodes: Passcodes, staff: Staff, serviceClients: ServiceClients
  ) {
    (self.database, self.world) = (database, world)
    (self.passcodes, self.staff, self.serviceClients) = (passcodes, staff, serviceClients)
  }

  package static let migrations = [
    SessionStore.migration, SessionStore.expiryMigration, SigningKeyStore.migration, Passcodes.migration,
    Staff.migration, ServiceClientStore.migration, Staff.factorMigration, StaffKeyStore.migration,
    SessionStore.staffMigration, Staff.enrolmentMigration, Staff.deskMigration, Staff.openIDMigration,
    Staff.openIDSessionMigration, StaffKeyStore.passkeyMigration, StaffKeyStore.verifiedMigration,
    Staff.wrongCodeMigration,
  ]

  package var retention: [ScheduledJob] {
    let (database, world, passcodes, staff, clients) = (database, world, passcodes, staff, serviceClients)
    return [
      ScheduledJob("old-identities") {
        // Sessions live by the machine's time.
        let now = world.wall()
        try await database.sweep(batch: SessionStore.sweepBatch) {
          try SessionStore.sweep(before: now, limit: $1, in: $0)
        }
        try await database.sweep { try passcodes.sweep(limit: $1, in: $0) }
        try await database.sweep { try staff.sweep(limit: $1, in: $0) }
        try await database.sweep { try clients.sweep(limit: $1, in: $0) }
      }
    ]
  }
}
