// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import Kit
import Storage
import Synchronization

/// Has requests of networks that cost the node much lately wait for their turn while others ask, before anything is
/// done for them or read of their bodies, so that a processor is free when another request comes. What they write is
/// written after what others write.
package struct FairShareMiddleware: RouterMiddleware {
  package typealias Context = PublicContext

  /// Requests that wait at once: a client of HTTP/2 has many on one connection.
  static let waitingMax = 1024
  /// What a body that was refused costs at most, whatever it says that it has: no more of it is dropped.
  private static let refusedMax = ConnectionLimits().droppedMax

  private let costs: NetworkCosts
  /// Of the institution's own systems, whose requests neither count nor wait.
  private let own: [IPNetwork]
  private let waiting = Waiting()
  private let pause: @Sendable (Duration) async throws -> Void

  package init(_ costs: NetworkCosts, own: [IPNetwork] = []) {
    self.init(costs, own: own) { try await Task.sleep(for: $0) }
  }

  init(_ costs: NetworkCosts, own: [IPNetwork] = [], pause: @escaping @Sendable (Duration) async throws -> Void) {
    (self.costs, self.own, self.pause) = (costs, own, pause)
  }

  package func handle(
    _ request: Request, context: PublicContext, next: (Request, PublicContext) async throws -> Response
  ) async throws -> Response {
    // What this machine asks by itself is not of a client.
    guard let address = context.clientAddress, ClientNetwork.ofStranger(address) != nil else {
      return try await next(request, context)
    }
    if own.contains(where: { $0.contains(address) }) {
      costs.beginOwn()
      return try await next(request, context)
    }
    let network = ClientNetwork.subscriber(address)
    let wait = costs.begin(from: network)
    let received = Counted(request.headers[.contentLength].flatMap { Int($0) } ?? 0)
    var request = request
    if request.mayHideLength(isStream: context.isStream) {
      request.body = RequestBody(
        asyncSequence: request.body.map { piece in
          received.add(piece.readableBytes)
          return piece
        })
    }
    let computing = RequestComputing(mustRest: costs.mustRest(for: network, costsMuch: wait != nil))
    var (isRefused, sent) = (true, 0)
    defer {
      computing.answered(isRefused: isRefused)
      let bytes = isRefused ? min(received.bytes, Self.refusedMax) : received.bytes
      costs.end(
        from: network, hadTurn: wait != nil, isRefused: isRefused, received: bytes, sent: sent,
        inVain: computing.inVain, ofUse: computing.ofUse)
    }
    // Of requests that came together the next one begins when the one before is answered, or refused because too many
    // wait, without a moment in which the thread is free: a connection would keep it for a thousand of them.
    if costs.costsMuch(network) { await Task.yield() }
    if let wait, wait > .zero { try await waiting.one(pause, for: wait) }
    var response = try await WorkPriority.$current.withValue(wait == nil ? .usual : .low) {
      try await RequestComputing.$current.withValue(computing) { try await next(request, context) }
    }
    (isRefused, sent) = (response.status.code >= 400, response.body.contentLength ?? 0)
    if response.body.contentLength == nil {
      let streamed = Counted(0)
      response.body = response.body.map { piece in
        costs.send(piece.readableBytes, after: streamed.add(piece.readableBytes), to: network)
        return piece
      }
    }
    return response
  }
}

/// Bytes of a body: as many as it says, or were read or written where it does not say.
private final class Counted: Sendable {
  private let count: Atomic<Int>

  init(_ bytes: Int) { count = Atomic(bytes) }

  var bytes: Int { count.load(ordering: .relaxed) }

  /// - Returns: how many there were before.
  @discardableResult
  func add(_ bytes: Int) -> Int { count.add(bytes, ordering: .relaxed).oldValue }
}

/// How many requests wait.
private final class Waiting: Sendable {
  private let count = Atomic(0)

  /// - Throws: `Problem` unavailable when too many wait.
  func one(_ pause: @Sendable (Duration) async throws -> Void, for time: Duration) async throws {
    defer { count.subtract(1, ordering: .relaxed) }
    guard count.add(1, ordering: .relaxed).newValue <= FairShareMiddleware.waitingMax else {
      throw Problem.unavailable.with { $0.retryAfterSeconds = 5 }
    }
    try await pause(time)
  }
}
