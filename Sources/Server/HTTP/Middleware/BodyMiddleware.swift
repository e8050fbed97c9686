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
    guard length ?? 0 > 0 || request.headers.contains(.transferEncoding) else { return try await next(request, context) }
    let place = BodyPlace(in: budget)
    defer { place.leave() }
    var request = request
    request.body = RequestBody(
      asyncSequence: PlacedBody(body: request.body, length: length, place: place, channel: context.channel))
    return try await next(request, context)
  }
}

/// The place of one request's body.
private final class BodyPlace: Sendable {
  private let budget: BodyBudget
  private let size = Mutex(0)

  init(in budget: BodyBudget) { self.budget = budget }

  /// Makes room for a body that has this size at least. One that does not say its length grows by doubling.
  /// - Throws: `Problem` unavailable.
  func hold(_ bytes: Int, isWhole: Bool) async throws {
    let before = size.withLock { $0 }
    guard bytes > max(before, BodyBudget.smallMax) else { return }
    let more = try await budget.take((isWhole ? bytes : 2 * bytes) - before)
    size.withLock { $0 += more }
  }

  func leave() {
    budget.giveBack(
      size.withLock { size in
        defer { size = 0 }
        return size
      })
  }
}

private struct PlacedBody: AsyncSequence, Sendable {
  typealias Element = ByteBuffer

  let body: RequestBody
  let length: Int?
  let place: BodyPlace
  let channel: any Channel

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(of: self) }

  struct AsyncIterator: AsyncIteratorProtocol {
    private var pieces: RequestBody.AsyncIterator
    private let body: PlacedBody
    private var received = 0
    private var hasBegun = false

    init(of body: PlacedBody) { (self.body, pieces) = (body, body.body.makeAsyncIterator()) }

    mutating func next() async throws -> ByteBuffer? {
      if !hasBegun {
        hasBegun = true
        if let length = body.length { try await body.place.hold(length, isWhole: true) }
        body.channel.triggerUserOutboundEvent(BodyWanted(), promise: nil)
      }
      do {
        guard let piece = try await pieces.next() else {
          guard received >= body.length ?? 0 else { throw Problem.clientGone }
          return nil
        }
        received += piece.readableBytes
        if body.length == nil { try await body.place.hold(received, isWhole: false) }
        return piece
      } catch is SlowClient {
        throw Problem.unavailable.with { $0.retryAfterSeconds = 1 }
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
  }
}

extension Problem {
  /// No answer reaches this client any more. What its status counts is neither side's error.
  static let clientGone = Problem(.clientGone, "client-gone", "The connection was closed before the request was whole.")
}
