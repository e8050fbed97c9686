// SPDX-License-Identifier: Apache-2.0

import Foundation
@testable import Storage
import TestSupport
import Testing

/// The way to a server on another machine: a name that resolves to this one stands for it.
@Suite(
  "Storage: PostgreSQL over TLS", .storeless, .enabled(if: SecurePostgres.isInstalled, "\(SecurePostgres.missing)"),
  .timeLimit(.minutes(2)))
struct PostgresTLSTests {
  private static let host = "db.bank.example"

  @Test("a server that proves its name by the trusted authority is used, encrypted; any other one is refused and named")
  func proof() async throws {
    let (authority, stranger) = (try TestAuthority(), try TestAuthority())
    let server = try SecurePostgres(try authority.vouch(for: "DNS:\(Self.host)"))
    // What the URL says nothing of is `verify-full`.
    for mode in ["", "&sslmode=verify-full"] {
      let trusted = server.url(Self.host, "\(mode)&sslrootcert=\(authority.certificate)")
      #expect(try await Self.isEncrypted(trusted))
      for (url, reason) in [
        (server.url(Self.host, "\(mode)&sslrootcert=\(stranger.certificate)"), "certificate verify failed"),
        (server.url("other.example", "\(mode)&sslrootcert=\(authority.certificate)"), "does not match host name"),
        (server.url(Self.host, "\(mode)&sslrootcert=/nowhere/ca.pem"), "/nowhere/ca.pem"),
      ] {
        let text = await Self.refusal(url)
        #expect(text.contains(reason) && !text.contains("hunter2"), "\(text)")
      }
    }
  }

  @Test("`require` encrypts and asks for no proof, `verify-ca` for the authority and not for the name")
  func lessProof() async throws {
    let (authority, stranger) = (try TestAuthority(), try TestAuthority())
    let server = try SecurePostgres(try authority.vouch(for: "DNS:\(Self.host)"))
    #expect(try await Self.isEncrypted(server.url("other.example", "&sslmode=require&sslrootcert=/nowhere/ca.pem")))
    #expect(
      try await Self.isEncrypted(
        server.url("other.example", "&sslmode=verify-ca&sslrootcert=\(authority.certificate)")))
    let text = await Self.refusal(server.url(Self.host, "&sslmode=verify-ca&sslrootcert=\(stranger.certificate)"))
    #expect(text.contains("certificate verify failed"))
    #expect(try await !Self.isEncrypted(server.url(Self.host, "&sslmode=disable")))
  }

  private static func isEncrypted(_ url: String) async throws -> Bool {
    let database = Postgres(PostgresSettings(url: url, connectionsMax: 1))
    defer { try? database.close() }
    return try await database.read { tx in
      try tx.first("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")?.get("ssl", as: Int.self) == 1
    }
  }

  /// Why there was no connection.
  private static func refusal(_ url: String) async -> String {
    var settings = PostgresSettings(url: url, connectionsMax: 1)
    settings.patience = .zero
    let database = Postgres(settings)
    defer { try? database.close() }
    let error = await #expect(throws: SQLError.self) { try await database.read { try $0.query("SELECT 1 AS one") } }
    guard case .unreachable(let reason) = error else { return "\(String(describing: error))" }
    return reason
  }
}
