// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import Kit

/// What the server of this machine says of itself to its operators.
package enum ServerHealth: String, Sendable, Encodable {
  /// It answers; asked for no more than that.
  case live
  case ready
  /// A check of `/health/ready` fails.
  case failing
  /// It leaves, and takes nothing new.
  case draining
  /// Nothing answers at the port, or something else does.
  case silent
}

extension Settings {
  /// Asks the server that runs with these settings, at `operations.port`.
  /// - Parameter isReady: asks `/health/ready` instead of `/health/live`, which a server without its store answers too.
  package func health(isReady: Bool) async -> ServerHealth {
    struct Report: Decodable { let status: String }
    let port = operations.port ?? OperationsSettings.defaultPort
    // A container's engine gives a check a few seconds.
    let peer = operationsPeer(timeout: .seconds(3))
    let url = operationsURL(isReady ? "/health/ready" : "/health/live", port: port)
    guard let answer = try? await peer.send(.init("GET", url, headers: [:], body: Data())),
      let report = try? JSONDecoder().decode(Report.self, from: answer.body)
    else { return .silent }
    return ServerHealth(rawValue: report.status) ?? .silent
  }

  func operationsPeer(timeout: Duration) -> PeerHTTP {
    .curl(threads: BlockingThreadPool("operations", width: 1), connectTimeout: .seconds(2), timeout: timeout)
  }

  /// - Parameter path: begins with a slash.
  func operationsURL(_ path: String, port: Int) -> String {
    let host = ["0.0.0.0", "::"].contains(operations.host) ? "127.0.0.1" : operations.host
    return "http://\(host.contains(":") ? "[\(host)]" : host):\(port)\(path)"
  }
}
