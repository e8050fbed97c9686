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
    var urlRequest = URLRequest(url: request.url)
    urlRequest.httpMethod = request.method
    for (name, value) in request.headers.all { urlRequest.setValue(value, forHTTPHeaderField: name) }
    // URLSession's own limit is on silence, ours is on the whole; the longer one must never win.
    urlRequest.timeoutInterval = Double(request.deadline.components.seconds) + 1

    let task: URLSessionTask
    if let body = request.body {
      task = session.uploadTask(with: urlRequest, from: body)
    } else {
      task = session.dataTask(with: urlRequest)
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        exchanges.begin(task.taskIdentifier, progress: progress, continuation: continuation)
        // A cancellation before `begin` found no exchange to end.
        if Task.isCancelled {
          exchanges.end(task.taskIdentifier, with: .failure(TransportError(.cancelled)))
        } else {
          task.resume()
        }
      }
    } onCancel: {
      task.cancel()
    }
  }
}
