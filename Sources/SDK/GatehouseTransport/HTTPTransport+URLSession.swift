// SPDX-License-Identifier: Apache-2.0

internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

extension HTTPTransport {
  /// Largest answer that is taken: a stored image with room to spare.
  public static let answerBytesMax = 32 * 1024 * 1024

  /// The device's network, by URLSession.
  ///
  /// No cookies, no cache, and no redirects, which could carry a token to another host. Clear-text HTTP is refused
  /// except to the device itself, unless allowed for a test network.
  public static func live(
    allowingClearText: Bool = false, trusting trust: ServerTrust = .system, clock: ClientClock = .live
  ) -> HTTPTransport {
    let client = URLSessionClient(trusting: trust)
    @Sendable func check(_ request: TransportRequest) throws(TransportError) {
      #if !canImport(Security)
        guard trust == .system else { throw TransportError(.insecure) }
      #endif
      guard allowingClearText || request.url.scheme == "https" || isLoopback(request.url) else {
        throw TransportError(.clearText)
      }
    }
    return HTTPTransport(
      send: { (request, progress) async throws(TransportError) in
        try check(request)
        return try await withDeadline(request.deadline, clock: clock) {
          await client.exchange(request, progress: progress)
        }
      },
      open: { (request) async throws(TransportError) in
        try check(request)
        return try await withDeadline(request.deadline, clock: clock) { await client.open(request) }
      })
  }
}

private func isLoopback(_ url: URL) -> Bool {
  ["localhost", "127.0.0.1", "::1", "[::1]"].contains(url.host ?? "")
}

/// The first of the exchange and the deadline. The exchange is cancelled, and waited for, when the deadline is first.
private func withDeadline<Answer: Sendable>(
  _ deadline: Duration,
  clock: ClientClock,
  _ exchange: @escaping @Sendable () async -> Result<Answer, TransportError>
) async throws(TransportError) -> Answer {
  let outcome = await withTaskGroup(of: Result<Answer, TransportError>.self) { group in
    group.addTask { await exchange() }
    group.addTask {
      do { try await clock.pause(for: deadline) } catch { return .failure(TransportError(.cancelled)) }
      return .failure(TransportError(.timedOut))
    }
    let first = await group.next() ?? .failure(TransportError(.other))
    group.cancelAll()
    return first
  }
  return try outcome.get()
}
