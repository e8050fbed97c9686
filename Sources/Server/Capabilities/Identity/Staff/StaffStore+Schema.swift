// SPDX-License-Identifier: Apache-2.0

import Storage

extension Staff {
  /// `languages` and `permissions` are words with spaces between; they are not searched by.
  package static let migration = Migration(
    "2026-11-21 staff",
    """
    CREATE TABLE staff (
      id TEXT PRIMARY KEY,
      tenant TEXT NOT NULL,
      account TEXT NOT NULL UNIQUE,
      sealed_profile BLOB NOT NULL,
      gender TEXT NOT NULL CHECK (gender IN ('F', 'M')),
      languages TEXT NOT NULL,
      permissions TEXT NOT NULL,
      password_hash TEXT NOT NULL,
      is_active BIGINT NOT NULL CHECK (is_active IN (0, 1)),
      created_at BIGINT NOT NULL
    );
    CREATE INDEX staff_tenant ON staff (tenant, created_at);

    CREATE TABLE staff_guard (
      account TEXT PRIMARY KEY,
      held_at BIGINT NOT NULL,
      locked_until BIGINT
    );
    CREATE INDEX staff_guard_age ON staff_guard (held_at);

    CREATE TABLE staff_try (
      id TEXT PRIMARY KEY,
      account TEXT NOT NULL,
      tried_at BIGINT NOT NULL
    );
    CREATE INDEX staff_try_account ON staff_try (account, tried_at);
    CREATE INDEX staff_try_age ON staff_try (tried_at);
    """)

  /// The second factors of members.
  package static let factorMigration = Migration(
    "2026-11-24 staff second factor",
    """
    CREATE TABLE staff_authenticator (
      staff_id TEXT PRIMARY KEY REFERENCES staff (id),
      sealed_secret BLOB NOT NULL,
      created_at BIGINT NOT NULL,
      confirmed_at BIGINT,
      last_step BIGINT
    );
    CREATE TABLE staff_recovery_code (
      digest TEXT PRIMARY KEY,
      staff_id TEXT NOT NULL REFERENCES staff (id),
      used_at BIGINT
    );
    CREATE INDEX staff_recovery_code_staff ON staff_recovery_code (staff_id);
    """)

  /// An authenticator app is set up in one session, by a code that an operator hands out. What waited for its first
  /// code before begins anew.
  package static let enrolmentMigration = Migration(
    "2026-11-24 staff setup",
    """
    CREATE TABLE staff_enrolment (
      session_id TEXT PRIMARY KEY,
      staff_id TEXT NOT NULL REFERENCES staff (id),
      sealed_secret BLOB NOT NULL,
      expires_at BIGINT NOT NULL
    );
    CREATE INDEX staff_enrolment_staff ON staff_enrolment (staff_id);
    CREATE INDEX staff_enrolment_expiry ON staff_enrolment (expires_at);

    CREATE TABLE staff_enrolment_code (
      staff_id TEXT PRIMARY KEY REFERENCES staff (id),
      digest TEXT NOT NULL,
      expires_at BIGINT NOT NULL
    );
    CREATE INDEX staff_enrolment_code_expiry ON staff_enrolment_code (expires_at);

    DELETE FROM staff_authenticator WHERE confirmed_at IS NULL;
    """)

  /// Wrong codes of an app since the last right one.
  package static let wrongCodeMigration = Migration(
    "2026-12-13 staff wrong codes",
    "ALTER TABLE staff_authenticator ADD COLUMN wrong_codes BIGINT NOT NULL DEFAULT 0;")

  /// Whom identity providers name.
  package static let openIDMigration = StaffOpenIDStore.migration
  package static let openIDSessionMigration = StaffOpenIDStore.sessionMigration

  /// The tables of staff, step by step.
  package static let migrations = [
    migration, factorMigration, StaffKeyStore.migration, enrolmentMigration, deskMigration, openIDMigration,
    openIDSessionMigration, StaffKeyStore.passkeyMigration, StaffKeyStore.verifiedMigration,
    wrongCodeMigration,
  ]
}
