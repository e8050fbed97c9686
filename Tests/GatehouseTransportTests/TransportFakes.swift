// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import Testing

@testable import GatehouseTransport

/// A transport that answers from a list and keeps what it was asked.
actor Script {
  private var outcomes: [Result<TransportResponse, TransportError>]
  private(set) var requests: [TransportRequest] = []

  init(_ outcomes: [Result<TransportResponse, TransportError>]) { self.outcomes = outcomes }

  nonisolated var transport: HTTPTransport {
    HTTPTransport { (request, _) async throws(TransportError) in try await self.next(request).get() }
  }

  private func next(_ request: TransportRequest) -> Result<TransportResponse, TransportError> {
    requests.append(request)
    guard !outcomes.isEmpty else {
      Issue.record("nothing expects \(request.method) \(request.url.path)")
      return .failure(TransportError(.unexpectedCall))
    }
    return outcomes.removeFirst()
  }
}

/// A clock that never waits and keeps what was asked.
final class ImpatientClock: Sendable {
  private let asked = Mutex<[Duration]>([])

  var pauses: [Duration] { asked.withLock { $0 } }
  var clock: ClientClock {
    ClientClock { (duration) async throws(CancellationError) in
      guard !Task.isCancelled else { throw CancellationError() }
      self.asked.withLock { $0.append(duration) }
    }
  }
}

extension ClientRandomness {
  static func fixed(_ unit: Double) -> ClientRandomness { ClientRandomness(unit: { unit }, uuid: { UUID() }) }
}

extension TransportRequest {
  static func sample(_ method: String = "GET", key: String? = nil) -> TransportRequest {
    var request = TransportRequest(method: method, url: URL(fileURLWithPath: "/sample"))
    request.headers["Idempotency-Key"] = key
    return request
  }
}
