// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Another company's server that works for a tenant, and what lets us in. Never logged.
struct Connector: Sendable {
  /// Without a slash at its end.
  let url: String
  let token: String

  init(url: String, token: String) { (self.url, self.token) = (url, token) }

  /// As an operator names it.
  /// - Throws: `Problem` validation.
  init(checking url: String, token: String) throws {
    guard let address = WebAddress(url, lengthMax: 256), !url.hasSuffix("/"), !address.hasQuery, !address.hasFragment,
      address.isSecure || address.host.isLoopbackHost
    else {
      throw Problem.validation([
        .init("/url", "format", "An address with https, without a slash at its end; without TLS this machine's.")
      ])
    }
    guard (1...512).contains(token.utf8.count), token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw Problem.validation([.init("/token", "format", "1 to 512 visible characters of ASCII.")])
    }
    self.init(url: url, token: token)
  }
}

/// Rows of `finaptic_card_issuer` and `finaptic_interac_connector`: where a tenant's connector of that kind is reached,
/// and with which token, sealed.
package struct ConnectorStore {
  enum Kind {
    case cardIssuer, interac

    fileprivate var table: SQLColumns {
      switch self {
      case .cardIssuer: "finaptic_card_issuer"
      case .interac: "finaptic_interac_connector"
      }
    }
  }

  let tx: any SQLTransaction
  let vault: Vault
  private let table: SQLColumns

  init(_ tx: any SQLTransaction, of kind: Kind, vault: Vault) {
    (self.tx, self.vault, table) = (tx, vault, kind.table)
  }

  package static let issuerMigration = Migration(
    "2026-12-03 finaptic card issuer connection",
    """
    CREATE TABLE finaptic_card_issuer (
      tenant_id BIGINT PRIMARY KEY REFERENCES finaptic_tenant (id),
      url TEXT NOT NULL,
      token BLOB NOT NULL,
      set_at BIGINT NOT NULL
    );
    """)

  package static let interacMigration = Migration(
    "2026-12-08 finaptic interac connector",
    """
    CREATE TABLE finaptic_interac_connector (
      tenant_id BIGINT PRIMARY KEY REFERENCES finaptic_tenant (id),
      url TEXT NOT NULL,
      token BLOB NOT NULL,
      set_at BIGINT NOT NULL
    );
    """)

  func isSet(_ tenant: Int) throws -> Bool {
    try tx.first("SELECT tenant_id FROM \(table) WHERE tenant_id = \(tenant)") != nil
  }

  func find(_ tenant: Int) throws -> Connector? {
    try tx.first("SELECT url, token FROM \(table) WHERE tenant_id = \(tenant)").map { row in
      Connector(
        url: try row.get("url"),
        token: String(
          decoding: try vault.open(try row.get("token", as: Data.self), context: context(tenant)), as: UTF8.self))
    }
  }

  /// - Parameter connector: nil forgets it.
  func set(_ connector: Connector?, of tenant: Int, at now: Instant) throws {
    guard let connector else {
      try tx.execute("DELETE FROM \(table) WHERE tenant_id = \(tenant)")
      return
    }
    let sealed = try vault.seal(Data(connector.token.utf8), context: context(tenant))
    try tx.execute(
      """
      INSERT INTO \(table) (tenant_id, url, token, set_at)
      VALUES (\(tenant), \(connector.url), \(sealed), \(now))
      ON CONFLICT (tenant_id) DO UPDATE SET url = excluded.url, token = excluded.token, set_at = excluded.set_at
      """)
  }

  private func context(_ tenant: Int) -> String { "\(table.names).token:\(tenant)" }
}
