// SPDX-License-Identifier: Apache-2.0

import Configuration
import Foundation
import Kit

/// An OpenTelemetry collector that spans and lines of the log are sent to, over OTLP/HTTP in Protocol Buffers.
struct CollectorSettings: Sendable {
  enum Signal: String, Sendable, CaseIterable {
    case traces, logs
  }

  /// Without `/v1/traces` and `/v1/logs`, which the protocol adds.
  let endpoint: String
  /// They may hold the collector's secret.
  let headers: [String: String]
  let signals: Set<Signal>
  /// PEM file of the only trusted certificates; nil for the system's.
  let authorityFile: String?

  // What docs/reference/settings.md tells of them.
  // otlp.endpoint: address of an OpenTelemetry collector that traces and log lines are sent to: https, or http of
  //   this machine; without it nothing is sent
  // otlp.headers: headers of each request to it, name=value, comma-separated, with values percent-encoded
  // otlp.signals: what the collector gets, comma-separated

  /// - Returns: nil without an endpoint.
  /// - Throws: `SettingsError`, which quotes no value.
  init?(_ config: ConfigReader) throws {
    guard let text = config.string(forKey: "otlp.endpoint") else { return nil }
    guard let address = WebAddress(text), !address.hasQuery, !address.hasFragment else {
      throw SettingsError("otlp.endpoint is an address without user, query and fragment")
    }
    guard address.isSecure || address.host.isLoopbackHost else {
      throw SettingsError("otlp.endpoint begins with https://, or http:// of this machine")
    }
    endpoint = String(text.reversed().drop { $0 == "/" }.reversed())
    headers = try Self.headers(config.string(forKey: "otlp.headers", isSecret: true, default: ""))
    let names = config.string(forKey: "otlp.signals", default: "traces,logs").split(separator: ",")
    let signals = names.map { Signal(rawValue: $0.trimmingCharacters(in: .whitespaces)) }
    guard !signals.isEmpty, !signals.contains(nil) else {
      throw SettingsError("otlp.signals is traces, logs or both, comma-separated")
    }
    self.signals = Set(signals.compactMap { $0 })
    authorityFile = config.string(forKey: "otlp.ca")
  }

  func address(of signal: Signal) -> String { "\(endpoint)/v1/\(signal.rawValue)" }

  /// As in `OTEL_EXPORTER_OTLP_HEADERS`: `name=value`, comma-separated, values percent-encoded.
  private static func headers(_ text: String) throws -> [String: String] {
    var headers: [String: String] = [:]
    for member in text.split(separator: ",") {
      let parts = member.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
      guard parts.count == 2, !parts[0].isEmpty, parts[0].utf8.allSatisfy(isTokenByte),
        let value = parts[1].removingPercentEncoding, !value.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f })
      else { throw SettingsError("otlp.headers is name=value, comma-separated, with values percent-encoded") }
      headers[parts[0].lowercased()] = value
    }
    return headers
  }

  private static func isTokenByte(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
      || "-_.".utf8.contains(byte)
  }
}
