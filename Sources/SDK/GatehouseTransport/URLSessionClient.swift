// SPDX-License-Identifier: Apache-2.0

internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// One URLSession and its delegate. The session lives as long as this value.
final class URLSessionClient: Sendable {
  private let exchanges: URLSessionExchanges
  private let session: URLSession

  init(trusting trust: ServerTrust) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpShouldSetCookies = false
    configuration.httpCookieStorage = nil
    configuration.urlCache = nil
    configuration.urlCredentialStorage = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    exchanges = URLSessionExchanges(trusting: trust)
    session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
  }

  deinit { session.finishTasksAndInvalidate() }

  /// Sends the request once. Cancelling the task cancels the exchange.
  func exchange(
    _ request: TransportRequest, progress: UploadProgress.Observer?
  ) async -> Result<TransportResponse, TransportError> {
    let task = task(for: request)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        exchanges.begin(task.taskIdentifier, .whole(.init(progress: progress, continuation: continuation)))
        start(task)
      }
    } onCancel: {
      task.cancel()
    }
  }

  /// Sends the request once, as far as the head of its answer. Cancelling the task before that cancels the exchange.
  func open(_ request: TransportRequest) async -> Result<TransportStream, TransportError> {
    let task = task(for: request)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        exchanges.begin(task.taskIdentifier, .opening(continuation))
        start(task)
      }
    } onCancel: {
      task.cancel()
    }
  }

  private func start(_ task: URLSessionTask) {
    // A cancellation before `begin` found no exchange to end.
    if Task.isCancelled { exchanges.end(task.taskIdentifier, with: TransportError(.cancelled)) } else { task.resume() }
  }

  private static func seconds(_ duration: Duration) -> Double {
    Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
  }

  private func task(for request: TransportRequest) -> URLSessionTask {
    var urlRequest = URLRequest(url: request.url)
    urlRequest.httpMethod = request.method
    for (name, value) in request.headers.all { urlRequest.setValue(value, forHTTPHeaderField: name) }
    // URLSession's own limit is on silence, ours is on the whole; the longer one must never win.
    let limit = request.deadline + .seconds(1)
    urlRequest.timeoutInterval = Self.seconds(min(request.silenceMax ?? limit, limit))
    return request.body.map { session.uploadTask(with: urlRequest, from: $0) } ?? session.dataTask(with: urlRequest)
  }
}
