// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseApp

/// Everything that `gatehouse-lab bench saltedge` measured.
struct SaltEdgeReport: Sendable {
  enum Call: String, CaseIterable, Sendable {
    /// A device asks what waits.
    case poll
    /// The bank wants something confirmed.
    case create
    /// A device confirms; measured from sending, because no device waits before it confirms.
    case confirm
  }

  let devices: Int
  let rate: Int
  let seconds: Double
  private(set) var latencies: [Call: Latencies] = [:]
  var signatures: SignatureReport?
  var clientSeconds = 0.0
  /// Processor time of this process without the clients' threads.
  var serverSeconds = 0.0
  /// How long the load took, its last call included.
  var loadSeconds = 0.0
  /// How long the worker had to go on after that.
  var settleSeconds = 0.0
  /// Operations that the bank has the decision of.
  var confirmed = 0

  init(devices: Int, rate: Int, seconds: Double) {
    (self.devices, self.rate, self.seconds) = (devices, rate, seconds)
  }

  mutating func add(_ more: Latencies, of call: Call) { latencies[call, default: Latencies()].add(more) }

  /// Processors that the server kept busy.
  var serverProcessors: Double { serverSeconds / max(loadSeconds, .leastNonzeroMagnitude) }

  /// Lines for people.
  func table(isRelease: Bool) -> String {
    var lines = [
      "\(devices) devices ask every 3 s, \(rate) authorizations a second, for \(Int(seconds)) s; one node, worker included."
    ]
    for call in Call.allCases {
      let one = latencies[call] ?? Latencies()
      lines.append(
        call.rawValue.padding(toLength: 10, withPad: " ", startingAt: 0)
          + String(
            format: "%8d calls %8.1f /s   p50 %8.1f ms   p99 %8.1f ms", one.milliseconds.count,
            Double(one.milliseconds.count) / max(loadSeconds, .leastNonzeroMagnitude), one.percentile(50),
            one.percentile(99)))
    }
    lines.append(
      String(
        format: "server %.2f processors, clients %.2f; %d confirmed at the bank, the last %.1f s after the load",
        serverProcessors, clientSeconds / max(loadSeconds, .leastNonzeroMagnitude), confirmed, settleSeconds))
    lines.append("Times of poll and create are from the instant at which the call was due.")
    if let signatures { lines += ["", signatures.table] }
    if !isRelease { lines.append("This is a debug build: only -c release says anything.") }
    return lines.joined(separator: "\n")
  }
}

extension SaltEdgeReport: Encodable {
  func encode(to encoder: any Encoder) throws {
    var values: [String: Double] = [
      "devices": Double(devices), "rate": Double(rate), "seconds": seconds, "load_seconds": loadSeconds,
      "server_processors": serverProcessors, "client_seconds": clientSeconds, "settle_seconds": settleSeconds,
      "confirmed": Double(confirmed),
    ]
    for call in Call.allCases {
      let one = latencies[call] ?? Latencies()
      values["\(call.rawValue)_count"] = Double(one.milliseconds.count)
      values["\(call.rawValue)_p50_ms"] = one.percentile(50)
      values["\(call.rawValue)_p99_ms"] = one.percentile(99)
    }
    if let signatures {
      values["v1_checks_per_second"] = signatures.v1
      values["v2_checks_per_second"] = signatures.v2
      values["openssl_verifications_per_second"] = signatures.openssl
      values["v1_ratio"] = signatures.v1 / signatures.openssl
      values["v2_ratio"] = signatures.v2 / signatures.openssl
    }
    try values.encode(to: encoder)
  }
}
