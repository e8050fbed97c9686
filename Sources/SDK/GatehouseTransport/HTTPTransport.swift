// SPDX-License-Identifier: Apache-2.0

/// The seam to the network: one closure that sends one request once, and one for answers that go on.
///
/// Live: `HTTPTransport.live()`. Retries are laid over it by `retrying(_:…)`. Tests script the closure; a test that
/// must not reach the network takes `.unexpected`.
public struct HTTPTransport: Sendable {
  /// Sends a request once and gives back the answer, whatever its status.
  public typealias Send =
    @Sendable (_ request: TransportRequest, _ progress: UploadProgress.Observer?) async throws(TransportError) ->
    TransportResponse

  /// Sends a request once and gives back the answer as soon as its head is there.
  public typealias Open = @Sendable (_ request: TransportRequest) async throws(TransportError) -> TransportStream

  private let sendOnce: Send
  let openOnce: Open

  /// Creates a transport from its closure. It knows no answers that go on.
  public init(send: @escaping Send) {
    self.init(send: send) { (_) async throws(TransportError) in throw TransportError(.unsupported) }
  }

  /// Creates a transport from its closures.
  public init(send: @escaping Send, open: @escaping Open) {
    sendOnce = send
    openOnce = open
  }

  /// Sends the request.
  /// - Throws: `TransportError` when no answer came; an answer that says no is an answer.
  public func send(
    _ request: TransportRequest, progress: UploadProgress.Observer? = nil
  ) async throws(TransportError) -> TransportResponse {
    try await sendOnce(request, progress)
  }

  /// Sends a request whose answer goes on. Its deadline is for the head, and for silence after that.
  /// - Throws: `TransportError` when no answer came; `unsupported` where answers come whole only.
  public func open(_ request: TransportRequest) async throws(TransportError) -> TransportStream {
    try await openOnce(request)
  }

  /// Refuses every request with `unexpectedCall`, after telling the observer what came: for tests.
  public static func unexpected(
    _ observe: @escaping @Sendable (TransportRequest) -> Void = { _ in }
  ) -> HTTPTransport {
    HTTPTransport { (request, _) async throws(TransportError) in
      observe(request)
      throw TransportError(.unexpectedCall)
    }
  }
}
