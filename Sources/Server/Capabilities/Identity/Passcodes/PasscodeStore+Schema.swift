// SPDX-License-Identifier: Apache-2.0

import Storage

extension Passcodes {
  /// A code that waits has its digest and its end; one that does not has no digest. One may wait at a time.
  package static let migration = Migration(
    "2026-11-21 passcode",
    """
    CREATE TABLE passcode (
      id TEXT PRIMARY KEY,
      channel TEXT NOT NULL CHECK (channel IN ('sms', 'email')),
      destination_digest TEXT NOT NULL,
      subject TEXT NOT NULL,
      purpose TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('requested', 'issued', 'used', 'void')),
      code_digest TEXT,
      tries BIGINT NOT NULL CHECK (tries >= 0),
      requested_at BIGINT NOT NULL,
      issued_at BIGINT,
      expires_at BIGINT,
      CHECK ((state = 'issued') = (code_digest IS NOT NULL)),
      CHECK (state <> 'issued' OR expires_at IS NOT NULL)
    );
    CREATE UNIQUE INDEX passcode_waiting ON passcode (subject, channel, purpose)
      WHERE state IN ('requested', 'issued');
    CREATE INDEX passcode_age ON passcode (requested_at);

    CREATE TABLE passcode_guard (
      name TEXT PRIMARY KEY,
      held_at BIGINT NOT NULL,
      locked_until BIGINT
    );
    CREATE INDEX passcode_guard_age ON passcode_guard (held_at);

    CREATE TABLE passcode_event (
      id TEXT PRIMARY KEY,
      guard_name TEXT NOT NULL,
      happened_at BIGINT NOT NULL
    );
    CREATE INDEX passcode_event_name ON passcode_event (guard_name, happened_at);
    CREATE INDEX passcode_event_age ON passcode_event (happened_at);
    """)
}
