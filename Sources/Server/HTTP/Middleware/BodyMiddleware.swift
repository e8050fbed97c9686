// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import Kit
import NIOCore
import NIOHTTP1
import Synchronization

/// Gives the body of each request its place in the node's memory until the request is answered, and tells apart why
/// reading one fails: the client left, sent what is not HTTP, or was too slow.
package struct BodyMiddleware: RouterMiddleware {
  package typealias Context = PublicContext

  private let budget: BodyBudget

  package init(_ budget: BodyBudget) { self.budget = budget }

  package func handle(
    _ request: Request, context: PublicContext, next: (Request, PublicContext) async throws -> Response
  ) async throws -> Response {
    let length = request.headers[.contentLength].flatMap { Int($0) }
    let mayCome = length.map { $0 > 0 } ?? request.mayHideLength(isStream: context.channel.isStream)
    guard mayCome else { return try await next(request, context) }
    let place = BodyReservation(in: budget, network: context.clientAddress.flatMap(ClientNetwork.ofStranger))
    defer { place.leave() }
    var request = request
    request.body = RequestBody(
      asyncSequence: PlacedBody(
        body: request.body, length: length, isComing: ConnectionGuard.letsIn(request.head.headerFields), place: place,
        channel: context.channel))
    return try await next(request, context)
  }
}

/// What the reader of a body knows of it.
struct BodyReading {
  /// Of the task that reads.
  @TaskLocal static var current: BodyReading?

  let limit: Int
  /// Who sends it, when that is proved.
  let subject: String?
}

/// The place of one request's body.
private final class BodyReservation: Sendable {
  private let budget: BodyBudget
  private let network: String?
  private let place = Mutex<BodyBudget.Place?>(nil)

  init(in budget: BodyBudget, network: String?) { (self.budget, self.network) = (budget, network) }

  /// Makes room for a body of this size, once.
  /// - Returns: the room that was made; none for a small body.
  /// - Throws: `Problem` unavailable.
  func hold(_ bytes: Int) async throws -> Int {
    guard bytes > BodyBudget.smallMax else { return 0 }
    let network = network.map { [BodyBudget.Sender.network($0)] } ?? []
    let subject = BodyReading.current?.subject.map { [BodyBudget.Sender.subject($0)] } ?? []
    let taken = try await budget.take(bytes, for: network + subject)
    place.withLock { $0 = taken }
    return taken.bytes
  }

  func leave() {
    if let place = place.withLock({ $0.take() }) { budget.giveBack(place) }
  }
}

private struct PlacedBody: AsyncSequence, Sendable {
  typealias Element = ByteBuffer

  let body: RequestBody
  let length: Int?
  /// Whether the connection reads it without being asked.
  let isComing: Bool
  let place: BodyReservation
  let channel: any Channel

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(of: self) }

  struct AsyncIterator: AsyncIteratorProtocol {
    private var pieces: RequestBody.AsyncIterator
    private let body: PlacedBody
    private var received = 0
    private var hasBegun = false
    /// Whether it did not say its size, and got a place when it turned out not to be small.
    private var hasGrown = false

    init(of body: PlacedBody) { (self.body, pieces) = (body, body.body.makeAsyncIterator()) }

    mutating func next() async throws -> ByteBuffer? {
      if !hasBegun {
        hasBegun = true
        if !body.isComing { try await ask(for: body.length ?? 0) }
      }
      do {
        guard let piece = try await pieces.next() else {
          guard received >= body.length ?? 0 else { throw Problem.clientGone }
          return nil
        }
        received += piece.readableBytes
        if body.length == nil, !hasGrown, received > BodyBudget.smallMax {
          hasGrown = true
          // As large as it may become: two that grew piece by piece would wait for each other.
          try await ask(for: BodyReading.current?.limit ?? .max)
        }
        return piece
      } catch is SlowClient {
        throw Problem.slowClient
      } catch HTTPParserError.invalidEOFState {
        throw Problem.clientGone
      } catch is HTTPParserError {
        throw Problem(.badRequest, "invalid-json", "The request could not be read.")
      } catch is IOError {
        throw Problem.clientGone
      } catch is ChannelError {
        throw Problem.clientGone
      }
    }

    private func ask(for bytes: Int) async throws {
      let place = try await body.place.hold(bytes)
      body.channel.triggerUserOutboundEvent(BodyReadRequest(place: place), promise: nil)
    }
  }
}

extension Problem {
  /// The client's fault, so that it is not told to send the same again.
  static let slowClient = Problem(.requestTimeout, "request-timeout", "The body of the request did not come in time.")

  /// No answer reaches this client any more. What its status counts is neither side's error.
  static let clientGone = Problem(.clientGone, "client-gone", "The connection was closed before the request was whole.")
}
