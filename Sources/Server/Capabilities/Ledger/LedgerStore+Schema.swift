// SPDX-License-Identifier: Apache-2.0

import Storage

extension LedgerStore {
  /// The books. What is wrong in itself cannot be stored:
  ///
  /// 1. A transfer has two accounts of its own tenant and currency, which are not the same one (foreign keys, CHECK).
  /// 2. An amount is more than nothing.
  /// 3. A caller's key is one transfer, and one hold (UNIQUE).
  /// 4. An account has one entry of a number (primary key).
  /// 5. Nothing is less available than the product says (CHECK).
  /// 6. A hold is settled once (UNIQUE).
  /// 7. Transfers, entries and accruals stay as they were written (triggers).
  ///
  /// That both entries are there, that balances follow from them and that numbers have no gap is what the checker looks
  /// for: no constraint of both engines can say it.
  package static let migration = Migration(
    "2026-11-22 ledger",
    """
    CREATE TABLE ledger_product (
      tenant TEXT NOT NULL,
      code TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('customer', 'house')),
      currency TEXT NOT NULL CHECK (LENGTH(currency) = 3),
      available_min BIGINT,
      yearly_interest_millionths BIGINT NOT NULL CHECK (yearly_interest_millionths BETWEEN 0 AND 1000000),
      monthly_fee BIGINT NOT NULL CHECK (monthly_fee >= 0),
      PRIMARY KEY (tenant, code),
      CHECK (available_min IS NULL OR available_min <= 0)
    );
    CREATE TABLE ledger_terms (
      tenant TEXT NOT NULL,
      product TEXT NOT NULL,
      from_day BIGINT NOT NULL,
      yearly_interest_millionths BIGINT NOT NULL CHECK (yearly_interest_millionths BETWEEN 0 AND 1000000),
      monthly_fee BIGINT NOT NULL CHECK (monthly_fee >= 0),
      PRIMARY KEY (tenant, product, from_day),
      FOREIGN KEY (tenant, product) REFERENCES ledger_product (tenant, code)
    );
    CREATE TABLE ledger_account (
      id TEXT PRIMARY KEY,
      tenant TEXT NOT NULL,
      product TEXT NOT NULL,
      name TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('customer', 'house')),
      currency TEXT NOT NULL CHECK (LENGTH(currency) = 3),
      state TEXT NOT NULL CHECK (state IN ('inactive', 'active')),
      available_min BIGINT,
      actual BIGINT NOT NULL,
      held BIGINT NOT NULL CHECK (held >= 0),
      sequence BIGINT NOT NULL CHECK (sequence >= 0),
      last_at BIGINT NOT NULL,
      opened_at BIGINT NOT NULL,
      UNIQUE (id, tenant, currency),
      CHECK (available_min IS NULL OR actual - held >= available_min),
      CHECK (sequence > 0 OR actual = 0),
      CHECK (state = 'active' OR (sequence = 0 AND held = 0)),
      FOREIGN KEY (tenant, product) REFERENCES ledger_product (tenant, code)
    );
    CREATE INDEX ledger_account_product ON ledger_account (tenant, product, id);
    CREATE TABLE ledger_party (
      account_id TEXT NOT NULL REFERENCES ledger_account (id),
      party TEXT NOT NULL,
      role TEXT NOT NULL CHECK (role IN ('owner', 'authorized')),
      since BIGINT NOT NULL,
      PRIMARY KEY (account_id, party)
    );
    CREATE UNIQUE INDEX ledger_party_account ON ledger_party (party, account_id);
    CREATE TABLE ledger_hold (
      id TEXT PRIMARY KEY,
      tenant TEXT NOT NULL,
      idempotency_key TEXT NOT NULL,
      kind TEXT NOT NULL,
      domain TEXT NOT NULL,
      account_id TEXT NOT NULL,
      counterparty_id TEXT NOT NULL,
      amount BIGINT NOT NULL CHECK (amount > 0),
      currency TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('open', 'settled', 'released', 'declined')),
      declined TEXT,
      held_at BIGINT NOT NULL,
      expires_at BIGINT,
      ended_at BIGINT,
      UNIQUE (tenant, idempotency_key),
      CHECK (account_id <> counterparty_id),
      CHECK ((state = 'declined') = (declined IS NOT NULL)),
      CHECK ((state = 'open') = (ended_at IS NULL)),
      FOREIGN KEY (account_id, tenant, currency) REFERENCES ledger_account (id, tenant, currency),
      FOREIGN KEY (counterparty_id, tenant, currency) REFERENCES ledger_account (id, tenant, currency)
    );
    CREATE INDEX ledger_hold_account ON ledger_hold (account_id, held_at, id);
    CREATE INDEX ledger_hold_expiry ON ledger_hold (expires_at) WHERE state = 'open' AND expires_at IS NOT NULL;
    CREATE TABLE ledger_transfer (
      id TEXT PRIMARY KEY,
      tenant TEXT NOT NULL,
      idempotency_key TEXT NOT NULL,
      kind TEXT NOT NULL,
      domain TEXT NOT NULL,
      lifecycle TEXT,
      hold_id TEXT REFERENCES ledger_hold (id),
      debit_id TEXT NOT NULL,
      credit_id TEXT NOT NULL,
      amount BIGINT NOT NULL CHECK (amount > 0),
      currency TEXT NOT NULL,
      debit_sequence BIGINT,
      credit_sequence BIGINT,
      declined TEXT,
      booked_at BIGINT NOT NULL,
      UNIQUE (tenant, idempotency_key),
      CHECK (debit_id <> credit_id),
      CHECK ((declined IS NULL) = (debit_sequence IS NOT NULL)),
      CHECK ((declined IS NULL) = (credit_sequence IS NOT NULL)),
      FOREIGN KEY (debit_id, tenant, currency) REFERENCES ledger_account (id, tenant, currency),
      FOREIGN KEY (credit_id, tenant, currency) REFERENCES ledger_account (id, tenant, currency)
    );
    CREATE UNIQUE INDEX ledger_transfer_settlement ON ledger_transfer (hold_id)
      WHERE hold_id IS NOT NULL AND declined IS NULL;
    CREATE INDEX ledger_transfer_lifecycle ON ledger_transfer (lifecycle) WHERE lifecycle IS NOT NULL;
    CREATE INDEX ledger_transfer_declined ON ledger_transfer (debit_id, booked_at, id) WHERE declined IS NOT NULL;
    CREATE TABLE ledger_entry (
      account_id TEXT NOT NULL REFERENCES ledger_account (id),
      sequence BIGINT NOT NULL CHECK (sequence > 0),
      transfer_id TEXT NOT NULL REFERENCES ledger_transfer (id),
      amount BIGINT NOT NULL CHECK (amount <> 0),
      balance BIGINT NOT NULL,
      booked_at BIGINT NOT NULL,
      PRIMARY KEY (account_id, sequence)
    );
    CREATE TABLE ledger_accrual (
      account_id TEXT NOT NULL REFERENCES ledger_account (id),
      day BIGINT NOT NULL,
      balance BIGINT NOT NULL,
      yearly_interest_millionths BIGINT NOT NULL,
      millionths BIGINT NOT NULL CHECK (millionths >= 0),
      PRIMARY KEY (account_id, day)
    );
    CREATE TABLE ledger_interest (
      account_id TEXT NOT NULL REFERENCES ledger_account (id),
      month BIGINT NOT NULL,
      amount BIGINT NOT NULL CHECK (amount > 0),
      transfer_id TEXT NOT NULL REFERENCES ledger_transfer (id),
      PRIMARY KEY (account_id, month)
    );
    """,
    appendOnly: ["ledger_transfer", "ledger_entry", "ledger_accrual", "ledger_interest"])
}
