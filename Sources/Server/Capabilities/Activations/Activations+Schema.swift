// SPDX-License-Identifier: Apache-2.0

import Storage

extension Activations {
  /// Keys, secrets and what is known about people are sealed; codes, OTPs and PUKs are kept as keyed digests only.
  ///
  /// `counter_data` is in clear: a signature needs the activation's keys beside it, and every signature would have to
  /// seal it anew.
  package static let migration = Migration(
    "2026-11-22 activation",
    """
    CREATE TABLE powerauth_application (
      id TEXT PRIMARY KEY,
      tenant TEXT NOT NULL,
      name TEXT NOT NULL,
      issues_recovery_codes BIGINT NOT NULL CHECK (issues_recovery_codes IN (0, 1)),
      created_at BIGINT NOT NULL,
      UNIQUE (tenant, name)
    );

    CREATE TABLE powerauth_master_key (
      application_id TEXT NOT NULL REFERENCES powerauth_application (id),
      generation BIGINT NOT NULL CHECK (generation > 0),
      public_key BLOB NOT NULL,
      sealed_private_key BLOB NOT NULL,
      created_at BIGINT NOT NULL,
      PRIMARY KEY (application_id, generation)
    );

    CREATE TABLE powerauth_version (
      id TEXT PRIMARY KEY,
      application_id TEXT NOT NULL,
      name TEXT NOT NULL,
      application_key TEXT NOT NULL UNIQUE,
      sealed_secret BLOB NOT NULL,
      generation BIGINT NOT NULL,
      is_supported BIGINT NOT NULL CHECK (is_supported IN (0, 1)),
      created_at BIGINT NOT NULL,
      UNIQUE (application_id, name),
      FOREIGN KEY (application_id, generation) REFERENCES powerauth_master_key (application_id, generation)
    );

    CREATE TABLE activation (
      id TEXT PRIMARY KEY,
      application_id TEXT NOT NULL REFERENCES powerauth_application (id),
      version_id TEXT REFERENCES powerauth_version (id),
      protocol_version TEXT CHECK (protocol_version IN ('3.0', '3.1', '3.2', '3.3')),
      state TEXT NOT NULL CHECK (state IN ('created', 'pendingCommit', 'active', 'blocked', 'removed')),
      row_version BIGINT NOT NULL,
      user_digest TEXT NOT NULL,
      sealed_details BLOB NOT NULL,
      flags TEXT NOT NULL,
      blocked_reason TEXT,
      code_digest TEXT UNIQUE,
      otp_digest TEXT,
      otp_check TEXT CHECK (otp_check IN ('ON_KEY_EXCHANGE', 'ON_COMMIT')),
      commits_itself BIGINT NOT NULL CHECK (commits_itself IN (0, 1)),
      failed_attempts BIGINT NOT NULL CHECK (failed_attempts >= 0),
      max_failed_attempts BIGINT NOT NULL CHECK (max_failed_attempts > 0),
      device_public_key BLOB,
      server_public_key BLOB,
      sealed_server_key BLOB,
      sealed_keys BLOB,
      counter BIGINT NOT NULL,
      counter_data BLOB,
      created_at BIGINT NOT NULL,
      expires_at BIGINT,
      last_used_at BIGINT
    );
    CREATE INDEX activation_user ON activation (user_digest, created_at);
    CREATE INDEX activation_application ON activation (application_id, created_at);
    CREATE INDEX activation_expiry ON activation (expires_at) WHERE expires_at IS NOT NULL;

    CREATE TABLE activation_token (
      id TEXT PRIMARY KEY,
      activation_id TEXT NOT NULL REFERENCES activation (id),
      signature_type TEXT NOT NULL,
      sealed_secret BLOB NOT NULL,
      created_at BIGINT NOT NULL
    );
    CREATE INDEX activation_token_owner ON activation_token (activation_id, created_at);

    CREATE TABLE activation_temporary_key (
      id TEXT PRIMARY KEY,
      application_key TEXT NOT NULL,
      activation_id TEXT REFERENCES activation (id),
      sealed_private_key BLOB NOT NULL,
      expires_at BIGINT NOT NULL
    );
    CREATE INDEX activation_temporary_key_owner ON activation_temporary_key (activation_id);
    CREATE INDEX activation_temporary_key_expiry ON activation_temporary_key (expires_at);

    CREATE TABLE activation_seen (
      digest TEXT PRIMARY KEY,
      expires_at BIGINT NOT NULL
    );
    CREATE INDEX activation_seen_expiry ON activation_seen (expires_at);

    CREATE TABLE recovery_code (
      id TEXT PRIMARY KEY,
      application_id TEXT NOT NULL REFERENCES powerauth_application (id),
      activation_id TEXT REFERENCES activation (id),
      state TEXT NOT NULL CHECK (state IN ('created', 'active', 'blocked', 'revoked')),
      row_version BIGINT NOT NULL,
      user_digest TEXT NOT NULL,
      sealed_user BLOB NOT NULL,
      code_digest TEXT NOT NULL UNIQUE,
      puk_index BIGINT NOT NULL CHECK (puk_index > 0),
      failed_attempts BIGINT NOT NULL CHECK (failed_attempts >= 0),
      created_at BIGINT NOT NULL
    );
    CREATE INDEX recovery_code_activation ON recovery_code (activation_id);
    CREATE INDEX recovery_code_user ON recovery_code (user_digest, application_id);

    CREATE TABLE recovery_puk (
      recovery_code_id TEXT NOT NULL REFERENCES recovery_code (id),
      puk_index BIGINT NOT NULL CHECK (puk_index > 0),
      digest TEXT NOT NULL,
      PRIMARY KEY (recovery_code_id, puk_index)
    );
    """)

  /// `replaces` is the device whose place a recovered one takes on its commit.
  package static let policyMigration = Migration(
    "2026-11-24 activation policy",
    """
    ALTER TABLE powerauth_application ADD COLUMN protocol_min TEXT NOT NULL DEFAULT '3.1'
      CHECK (protocol_min IN ('3.0', '3.1', '3.2', '3.3'));
    ALTER TABLE activation ADD COLUMN replaces TEXT;
    """)
}
