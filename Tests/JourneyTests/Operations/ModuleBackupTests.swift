// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage
import TestSupport
import Testing

@testable import GatehouseApp

@Suite("Operations: backup of the pictures of OneAssist and Finaptic", .ownFile)
struct ModuleBackupTests {
  /// A membership with a photo, and an application with an uploaded picture: the rows as the rooms write them.
  private func pictures(in source: BackupTestApp) async throws -> [String] {
    let (photo, upload) = (source.clock.world.uuid(), source.clock.world.uuid())
    let core = source.app.core
    for key in [photo, upload] { try await core.blobs.put(key, Data("sealed \(key)".utf8)) }
    try await core.database.write { tx in
      try tx.execute(
        """
        INSERT INTO oneassist_partner (id, tenant, client_id, code, units, name, is_international, created_at)
        VALUES ('p', 'default', 'c', 1, '1', 'Shop', 0, 0)
        """)
      try tx.execute(
        """
        INSERT INTO oneassist_membership
          (id, partner_id, customer_id, mobile_digest, order_uuid, order_number, activation_code, activity_reference,
           application_number, application_digest, plan_code, status, starts_on, ends_on, documents_until, flags,
           reuploads, mismatches, content, created_at, updated_at, version)
        VALUES ('m', 'p', 'c', 'd', 'o', 1, 'a', 'r', 'n', 'd', 1, 's', '2026-11-21', '2027-11-21', 0, '', 0, 0,
          \(Data("sealed".utf8)), 0, 0, 0)
        """)
      try tx.execute(
        """
        INSERT INTO oneassist_document (id, membership_id, name, status, file_digest, uploaded_at, version)
        VALUES (\(photo), 'm', 'n', 's', 'd', 0, 0)
        """)
      try tx.execute(
        """
        INSERT INTO finaptic_tenant (id, name, kind, mfa, created_at) VALUES (7, 'Maple Bank', 'sandbox', 'never', 0)
        """)
      try tx.execute(
        """
        INSERT INTO finaptic_application
          (id, tenant_id, bundle_id, needs_kyc, status, failures, failure_codes, content, created_at, updated_at, version)
        VALUES ('a', 7, 'b', 1, 's', 0, '', \(Data("sealed".utf8)), 0, 0, 0)
        """)
      try tx.execute(
        """
        INSERT INTO finaptic_file (id, application_id, token_digest, expires_at, blob_key, uploaded_at, created_at)
        VALUES ('f', 'a', 'd', 0, \(upload), 0, 0)
        """)
    }
    return [photo, upload]
  }

  @Test("photos and uploads are in a backup and are there after its restoration; what is missing is told")
  func whole() async throws {
    let source = try await BackupTestApp()
    let keys = try await pictures(in: source)
    let first = source.folder.file("first")
    let manifest = try await source.backup.take(to: first, withKeyring: true)
    #expect(manifest.blobs == 2 && manifest.missing.isEmpty)
    let settings = BackupTestApp.settings("restored", in: source.folder)
    _ = try await Restore(settings: settings, world: source.clock.world).run(from: first, keyring: nil, force: false)
    let restored = try await BackupTestApp.open(settings, source.clock)
    for key in keys { #expect(try await restored.core.blobs.get(key) == Data("sealed \(key)".utf8)) }

    for key in keys { try await source.app.core.blobs.delete(key) }
    let torn = try await source.backup.take(to: source.folder.file("second"), withKeyring: true)
    #expect(torn.blobs == 0 && torn.missing.sorted() == keys.sorted())
  }
}
