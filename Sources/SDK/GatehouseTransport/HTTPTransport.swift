/// The seam to the network: one closure that sends one request once.
///
/// Live: `HTTPTransport.live()`. Retries are laid over it by `retrying(_:…)`. Tests script the closure; a test that
/// must not reach the network takes `.unexpected`.
public struct HTTPTransport: Sendable {
  /// Sends a request once and gives back the answer, whatever its status.
  public typealias Send =
    @Sendable (_ request: TransportRequest, _ progress: UploadProgress.Observer?) async throws(TransportError) ->
    TransportResponse

  private let sendOnce: Send

  /// Creates a transport from its closure.
  public init(send: @escaping Send) { sendOnce = send }

  /// Sends the request.
  /// - Throws: `TransportError` when no answer came; an answer that says no is an answer.
  public func send(
    _ request: TransportRequest, progress: UploadProgress.Observer? = nil
  ) async throws(TransportError) -> TransportResponse {
    try await sendOnce(request, progress)
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
