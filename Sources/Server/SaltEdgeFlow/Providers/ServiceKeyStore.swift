import Foundation
import Kit
import SaltEdgeCore
import Storage

/// Rows of `saltedge_service_key`: what this service signs its calls to banks with.
struct ServiceKeyStore {
  let tx: any SQLTransaction
  let vault: Vault

  private static let id = "1"
  private static let context = "saltedge_service_key.private_key:1"

  func find() throws -> RSAPrivateKey? {
    guard let row = try tx.first("SELECT private_key FROM saltedge_service_key WHERE id = \(Self.id)") else {
      return nil
    }
    return try RSAPrivateKey(
      pem: String(decoding: vault.open(row.get("private_key"), context: Self.context), as: UTF8.self))
  }

  func insert(_ key: RSAPrivateKey, at now: Instant) throws {
    let sealed = try vault.seal(Data(key.pkcs8PEM.utf8), context: Self.context)
    try tx.execute(
      "INSERT INTO saltedge_service_key (id, private_key, created_at) VALUES (\(Self.id), \(sealed), \(now))")
  }
}
