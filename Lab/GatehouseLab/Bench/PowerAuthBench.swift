// SPDX-License-Identifier: Apache-2.0

import Activations
import Crypto
import Foundation
import GatehouseApp
import Kit
import PowerAuthCore
import Storage

/// Measures what proofs and encryption cost the server on one core, beside the primitives that they are made of: the
/// same library, the same run, in turns, so that a busy machine disturbs both alike.
struct PowerAuthBench: Sendable {
  let rounds: Int
  /// How long one thing is repeated in one round.
  let turn: Duration
  let world = World.live

  /// Bytes of a request's body, as a small JSON document has them.
  private static let bodyBytes = 256

  func run(in folder: String) async throws -> PowerAuthReport {
    let stage = try await PowerAuthStage.open(in: folder, world: world)
    var report = PowerAuthReport()
    for round in 0...rounds {
      var turns: [PowerAuthReport.Name: Double] = [:]
      for (name, body) in try work(stage) { turns[name] = try microseconds(body) }
      turns[.storedSignature] = try await stage.signatureSeconds(for: turn) * 1e6
      turns[.storedDecrypt] = try await stage.decryptSeconds(for: turn) * 1e6
      // The first round warms caches, and is not counted.
      if round > 0 { report.add(turns) }
    }
    return report
  }

  private func work(_ stage: PowerAuthStage) throws -> [(PowerAuthReport.Name, () throws -> Void)] {
    let body = Data(repeating: 0x41, count: Self.bodyBytes)
    let signed = try stage.claim(body)
    let envelope = try stage.envelope(body)
    let key = SymmetricKey(size: .bits128)
    let (short, long) = (Data(count: 16), signed.claim.data.bytes)
    let (private1, private2) = (P256.KeyAgreement.PrivateKey(), P256.KeyAgreement.PrivateKey().publicKey)
    let point = private2.compressedRepresentation
    let check = SignatureCheck(lookAhead: SignatureVerification.lookAheadStandard)
    return [
      (.shortHMAC, { _ = HMAC<SHA256>.authenticationCode(for: short, using: key) }),
      (.longHMAC, { _ = HMAC<SHA256>.authenticationCode(for: long, using: key) }),
      (.bodyHMAC, { _ = HMAC<SHA256>.authenticationCode(for: body, using: key) }),
      (.agreement, { _ = try private1.sharedSecretFromKeyAgreement(with: private2) }),
      (.point, { _ = try P256.KeyAgreement.PublicKey(compressedRepresentation: point) }),
      (
        .signature,
        {
          guard case .valid = try check.verdict(on: signed.claim, keys: signed.keys, counter: signed.counter) else {
            throw BenchMistake.notValid
          }
        }
      ),
      (
        .decrypt,
        {
          guard try envelope.decryptor.decrypt(envelope.request).plaintext == body else {
            throw BenchMistake.notValid
          }
        }
      ),
    ]
  }

  /// Processor time of this thread for one repetition.
  private func microseconds(_ body: () throws -> Void) throws -> Double {
    var count = 0
    let start = ProcessorTime.ofThread
    let end = start + Double(turn.milliseconds) / 1000
    var now = start
    while now < end {
      for _ in 0..<32 { try body() }
      count += 32
      now = ProcessorTime.ofThread
    }
    return (now - start) / Double(count) * 1e6
  }
}

/// A measure of something that did not happen would be none.
enum BenchMistake: Error {
  case notValid
  /// With its HTTP status.
  case refused(Int)
}
