internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif
#if canImport(Security)
  internal import CryptoKit
  internal import Security
#endif

/// The exchanges under way in one session, by task. Whoever takes an exchange out of the table ends it, so each ends
/// exactly once.
final class URLSessionExchanges: NSObject, URLSessionDataDelegate, Sendable {
  typealias Continuation = CheckedContinuation<Result<TransportResponse, TransportError>, Never>

  private struct Exchange: Sendable {
    let progress: UploadProgress.Observer?
    let continuation: Continuation
    var body = Data()
  }

  private let underWay = Guarded<[Int: Exchange]>([:])
  private let trust: ServerTrust

  init(trusting trust: ServerTrust) { self.trust = trust }

  func begin(_ task: Int, progress: UploadProgress.Observer?, continuation: Continuation) {
    underWay.withLock { $0[task] = Exchange(progress: progress, continuation: continuation) }
  }

  func end(_ task: Int, with result: Result<TransportResponse, TransportError>) {
    underWay.withLock { $0.removeValue(forKey: task) }?.continuation.resume(returning: result)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    let progress = underWay.withLock { $0[task.taskIdentifier]?.progress }
    progress?(UploadProgress(bytesSent: totalBytesSent, bytesTotal: totalBytesExpectedToSend))
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let isTooLarge = underWay.withLock { table in
      table[dataTask.taskIdentifier]?.body.append(data)
      return (table[dataTask.taskIdentifier]?.body.count ?? 0) > HTTPTransport.answerBytesMax
    }
    if isTooLarge {
      end(dataTask.taskIdentifier, with: .failure(TransportError(.answerTooLarge)))
      dataTask.cancel()
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  #if canImport(Security)
    func urlSession(
      _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      guard case .pinned(let digests) = trust,
        challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust
      else { return completionHandler(.performDefaultHandling, nil) }
      guard let presented = challenge.protectionSpace.serverTrust, SecTrustEvaluateWithError(presented, nil),
        let chain = SecTrustCopyCertificateChain(presented) as? [SecCertificate],
        chain.contains(where: { digests.contains(Data(SHA256.hash(data: SecCertificateCopyData($0) as Data))) })
      else { return completionHandler(.cancelAuthenticationChallenge, nil) }
      completionHandler(.useCredential, URLCredential(trust: presented))
    }
  #endif

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    guard let exchange = underWay.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
    if let error {
      exchange.continuation.resume(
        returning: .failure(TransportError(urlError: error, isInsideAnswer: task.response != nil)))
    } else if let response = task.response as? HTTPURLResponse {
      var headers = TransportHeaders()
      for (name, value) in response.allHeaderFields {
        if let name = name as? String, let value = value as? String { headers[name] = value }
      }
      exchange.continuation.resume(
        returning: .success(TransportResponse(status: response.statusCode, headers: headers, body: exchange.body)))
    } else {
      exchange.continuation.resume(returning: .failure(TransportError(.invalidAnswer)))
    }
  }
}

extension TransportError {
  /// Reduces URLSession's error to its kind; its texts name addresses.
  /// - Parameter isInsideAnswer: whether an answer had begun.
  fileprivate init(urlError: any Error, isInsideAnswer: Bool) {
    #if canImport(FoundationNetworking)
      if let code = Self.code(ofLibcurl: urlError, isInsideAnswer: isInsideAnswer) {
        self.init(code)
        return
      }
    #endif
    switch (urlError as? URLError)?.code {
    case .timedOut: self.init(.timedOut)
    case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive: self.init(.offline)
    case .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed: self.init(.unreachable)
    case .networkConnectionLost: self.init(.connectionLost)
    case .cancelled: self.init(.cancelled)
    case .badServerResponse, .cannotParseResponse, .cannotDecodeContentData, .cannotDecodeRawData:
      self.init(.invalidAnswer)
    case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
      .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
      .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection:
      self.init(.insecure)
    default: self.init(.other)
    }
  }

  #if canImport(FoundationNetworking)
    /// Elsewhere than on Apple's systems URLSession is libcurl, of whose codes few have one of URLSession's: what a server
    /// that is killed looks like has to be told from what else is said by the same code.
    private static func code(ofLibcurl error: any Error, isInsideAnswer: Bool) -> Code? {
      switch (error as? URLError)?.code {
      // Closed without a word.
      case .badServerResponse: return .connectionLost
      // Not of the address, which was looked at before: an answer that is none of HTTP.
      case .unsupportedURL: return .invalidAnswer
      case .unknown where isInsideAnswer: return .connectionLost
      case .unknown:
        let text = error.localizedDescription
        if text.hasPrefix("Failed to connect") { return .unreachable }
        return ["SSL", "TLS", "certificate"].contains(where: text.contains) ? .insecure : nil
      default: return nil
      }
    }
  #endif
}
