// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import HTTP
import Kit
import Logging
import ServiceLifecycle

/// What this process sends to an OpenTelemetry collector.
struct Collector: Sendable {
  let spans: OTLPExport<FinishedSpan>?
  let lines: OTLPExport<LogLine>?
  let metrics = OTLPMetrics()

  /// - Parameter logger: is told when the collector does not take; its lines are not sent.
  init(_ settings: CollectorSettings, version: String, world: World, logger: Logger) {
    let resource = OTLPResource(service: "gatehouse", version: version, instance: world.random(16).hex)
    // The operator chose the address, so that it may be a private one.
    let peer = PeerHTTP.curl(
      threads: BlockingThreadPool("collector", width: 2), caFile: settings.authorityFile, connectTimeout: .seconds(5),
      timeout: .seconds(10), answerMax: nil)
    func send(_ signal: CollectorSettings.Signal) -> @Sendable (Data) async -> OTLPAnswer {
      let address = settings.address(of: signal)
      let headers = settings.headers.merging(["content-type": "application/x-protobuf"]) { _, ours in ours }
      return { body in await Self.answer(of: peer, to: .init("POST", address, headers: headers, body: body)) }
    }
    spans =
      settings.signals.contains(.traces)
      ? OTLPExport(
        "traces", metrics: metrics, world: world, logger: logger, encode: resource.request, send: send(.traces)) : nil
    lines =
      settings.signals.contains(.logs)
      ? OTLPExport("logs", metrics: metrics, world: world, logger: logger, encode: resource.request, send: send(.logs))
      : nil
  }

  /// Statuses that OTLP/HTTP calls retryable are 429, 502, 503 and 504.
  static func answer(of peer: PeerHTTP, to call: PeerHTTP.Call) async -> OTLPAnswer {
    do {
      switch try await peer.send(call).status {
      case 200...299: return .taken
      case 429, 502, 503, 504: return .busy
      default: return .refused
      }
    } catch PeerHTTP.Failure.misconfigured { return .refused } catch PeerHTTP.Failure.forbidden {
      return .refused
    } catch { return .busy }
  }

  var services: [any Service] {
    let both: [(any Service)?] = [spans, lines]
    return both.compactMap { $0 }
  }
}
