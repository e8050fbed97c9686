// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseApp
import Kit
import SaltEdgeCore

/// Signatures of devices that one processor checks in a second, in turns with `openssl speed rsa2048`. Both count
/// processor time, so that a busy machine disturbs neither.
struct SignatureBench: Sendable {
  private static let openssl = "/usr/bin/openssl"
  /// Bytes of a request's body, about what a decision has.
  private static let bodyBytes = 1024

  let rounds: Int

  /// - Returns: nil where there is no `openssl` command.
  func run() throws -> SignatureReport? {
    guard FileManager.default.isExecutableFile(atPath: Self.openssl) else { return nil }
    let key = try RSAPrivateKey.generate()
    let body = Data(repeating: 0x41, count: Self.bodyBytes)
    let (jws, now) = (try DetachedJWS.sign(body, with: key), World.live.now().seconds)
    let request = SignedRequest(
      method: "put", url: "https://bank.example/saltedge/bank/api/authenticator/v1/authorizations/1",
      expiresAtSeconds: now + 3000, body: body)
    let (signature, publicKey) = (try request.signature(with: key), key.publicKey)
    var (v1, v2, theirs): ([Double], [Double], [Double]) = ([], [], [])
    for round in 0...rounds {
      let one = try Self.perSecond { try request.verify(signature, with: publicKey, nowSeconds: now) }
      let two = try Self.perSecond { try DetachedJWS.verify(jws, body: body, with: publicKey) }
      let other = try Self.opensslPerSecond()
      // The first round warms up.
      if round > 0 { (v1, v2, theirs) = (v1 + [one], v2 + [two], theirs + [other]) }
    }
    return SignatureReport(v1: Self.median(v1), v2: Self.median(v2), openssl: Self.median(theirs))
  }

  private static func perSecond(_ check: () throws -> Void) throws -> Double {
    var count = 0
    let start = ProcessorTime.ofThread
    var now = start
    while now < start + 1 {
      for _ in 0..<64 { try check() }
      count += 64
      now = ProcessorTime.ofThread
    }
    return Double(count) / (now - start)
  }

  /// The last column of its last line: `rsa 2048 bits 0.000590s 0.000017s 1695.8 58290.8`.
  private static func opensslPerSecond() throws -> Double {
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(filePath: openssl)
    process.arguments = ["speed", "-seconds", "1", "rsa2048"]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.runHearingAlarms()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let line = text.split(separator: "\n").last { $0.contains("rsa 2048") }
    guard let last = line?.split(separator: " ").last, let count = Double(last) else { throw BenchMistake.notValid }
    return count
  }

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}

/// Signatures checked in a second of one processor; medians.
struct SignatureReport: Sendable {
  let v1: Double
  let v2: Double
  let openssl: Double

  var table: String {
    func row(_ label: String, _ count: Double) -> String {
      label.padding(toLength: 34, withPad: " ", startingAt: 0)
        + String(format: "%10.0f /s   %.2f of openssl", count, count / openssl)
    }
    return [
      "Signatures checked in a second of one processor:",
      row("v1, header over a body of 1 KiB", v1), row("v2, detached JWS over 1 KiB", v2),
      row("openssl speed rsa2048, verify", openssl),
    ].joined(separator: "\n")
  }
}
