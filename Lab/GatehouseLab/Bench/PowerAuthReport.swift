// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseApp

/// Everything that `gatehouse-lab bench powerauth` measured, in microseconds for one.
struct PowerAuthReport: Sendable {
  enum Name: String, CaseIterable, Sendable {
    /// Of 16 bytes, about what keys are derived from.
    case shortHMAC = "hmac_16_us"
    /// Of the data that a signature covers.
    case longHMAC = "hmac_signed_data_us"
    /// Of an encrypted body.
    case bodyHMAC = "hmac_body_us"
    case agreement = "ecdh_us"
    case point = "point_us"
    case signature = "signature_us"
    case decrypt = "decrypt_us"
    case storedSignature = "signature_stored_us"
    case storedDecrypt = "decrypt_stored_us"
  }

  private(set) var rounds: [[Name: Double]] = []

  mutating func add(_ round: [Name: Double]) { rounds.append(round) }

  /// The median: one disturbed round decides nothing.
  subscript(name: Name) -> Double {
    let values = rounds.compactMap { $0[name] }.sorted()
    return values.isEmpty ? 0 : values[values.count / 2]
  }

  /// What a signature of two factors cannot do without: its two keys for this counter and one key of the second from
  /// the first (three HMACs of 16 and 32 bytes), and two HMACs of the data.
  var allowedSignature: Double { 3 * self[.shortHMAC] + 2 * self[.longHMAC] }
  /// What an envelope cannot do without: one agreement, the HMAC of its nonce and that of its body. The point that the
  /// device sent has to be read, and the keys hashed out of the secret; that counts against us.
  var allowedDecrypt: Double { self[.agreement] + self[.shortHMAC] + self[.bodyHMAC] }

  var signatureRatio: Double { allowedSignature / max(self[.signature], .leastNonzeroMagnitude) }
  var decryptRatio: Double { allowedDecrypt / max(self[.decrypt], .leastNonzeroMagnitude) }

  /// Lines for people.
  func table(isRelease: Bool) -> String {
    func row(_ label: String, _ microseconds: Double, _ note: String = "") -> String {
      label.padding(toLength: 46, withPad: " ", startingAt: 0)
        + String(format: "%10.1f µs %12.0f /s  ", microseconds, 1e6 / max(microseconds, .leastNonzeroMagnitude)) + note
    }
    return [
      "One core, one after the other; medians of \(rounds.count) rounds. Primitives and pure paths: processor time.",
      row("HMAC-SHA256, 16 bytes", self[.shortHMAC]), row("HMAC-SHA256, the signed data", self[.longHMAC]),
      row("HMAC-SHA256, the body", self[.bodyHMAC]), row("P-256 ECDH", self[.agreement]),
      row("P-256 point, read from 33 bytes", self[.point]), "",
      row("signature of two factors, allowed", allowedSignature, "3 HMACs of 16 bytes + 2 of the signed data"),
      row("signature of two factors, pure", self[.signature], String(format: "%.2f of it", signatureRatio)),
      row("signature of two factors, with the store", self[.storedSignature], "wall time, durable, with audit"), "",
      row("encrypted request of 256 bytes, allowed", allowedDecrypt, "1 ECDH + HMACs of nonce and body"),
      row("encrypted request of 256 bytes, pure", self[.decrypt], String(format: "%.2f of it", decryptRatio)),
      row("encrypted request of 256 bytes, with the store", self[.storedDecrypt], "wall time, durable"), "",
      "Goal: 0.70 of what the primitives allow."
        + (isRelease ? "" : " This is a debug build: only -c release says anything."),
    ].joined(separator: "\n")
  }
}

extension PowerAuthReport: Encodable {
  func encode(to encoder: any Encoder) throws {
    var values = Dictionary(uniqueKeysWithValues: Name.allCases.map { ($0.rawValue, self[$0]) })
    values["signature_ratio"] = signatureRatio
    values["decrypt_ratio"] = decryptRatio
    try values.encode(to: encoder)
  }
}
