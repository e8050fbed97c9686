// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Locks

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif
#if canImport(Security)
  internal import CryptoKit
  internal import Security
#endif

/// The exchanges under way in one session, by task. The code that takes an exchange out of the table ends it, so each
/// ends exactly once.
final class URLSessionExchanges: NSObject, URLSessionDataDelegate, Sendable {
  /// An answer that is gathered whole.
  struct Whole: Sendable {
    let progress: UploadProgress.Observer?
    let continuation: CheckedContinuation<Result<TransportResponse, TransportError>, Never>
    var body = Data()
  }

  typealias Opening = CheckedContinuation<Result<TransportStream, TransportError>, Never>

  enum Exchange: Sendable {
    case whole(Whole)
    /// Waits for the head of an answer that goes on.
    case opening(Opening)
    case open(TransportBody.Source)
  }

  private let underWay = Guarded<[Int: Exchange]>([:])
  private let trust: ServerTrust

  init(trusting trust: ServerTrust) { self.trust = trust }

  func begin(_ task: Int, _ exchange: Exchange) { underWay.withLock { $0[task] = exchange } }

  func end(_ task: Int, with error: TransportError) {
    switch underWay.withLock({ $0.removeValue(forKey: task) }) {
    case .whole(let whole): whole.continuation.resume(returning: .failure(error))
    case .opening(let continuation): continuation.resume(returning: .failure(error))
    case .open(let source): source.end(error)
    case nil: break
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    guard case .whole(let whole) = underWay.withLock({ $0[task.taskIdentifier] }) else { return }
    whole.progress?(UploadProgress(bytesSent: totalBytesSent, bytesTotal: totalBytesExpectedToSend))
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let task = dataTask.taskIdentifier
    open(dataTask)
    let source = underWay.withLock { table -> TransportBody.Source? in
      guard case .open(let source) = table[task] else { return nil }
      return source
    }
    let isTaken = source?.add(data) ?? gather(data, of: task)
    if !isTaken {
      end(task, with: TransportError(.answerTooLarge))
      dataTask.cancel()
    }
  }

  /// - Returns: false when the answer is too large.
  private func gather(_ data: Data, of task: Int) -> Bool {
    underWay.withLock { table in
      guard case .whole(var whole) = table.removeValue(forKey: task) else { return true }
      whole.body.append(data)
      table[task] = .whole(whole)
      return whole.body.count <= HTTPTransport.answerBytesMax
    }
  }

  /// Hands over an answer that goes on, once its head is there. The exchange is cancelled when it has no reader left.
  private func open(_ task: URLSessionTask) {
    guard let response = task.response as? HTTPURLResponse else { return }
    // Made only where it is handed over: a released body cancels its exchange.
    let opened = underWay.withLock { table -> (continuation: Opening, body: TransportBody)? in
      guard case .opening(let continuation) = table[task.taskIdentifier] else { return nil }
      let (body, source) = TransportBody.make { [weak task] in task?.cancel() }
      table[task.taskIdentifier] = .open(source)
      return (continuation, body)
    }
    guard let opened else { return }
    opened.continuation.resume(
      returning: .success(
        TransportStream(status: response.statusCode, headers: TransportHeaders(response), body: opened.body)))
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  #if canImport(Security)
    /// Checks the server of each task. A task whose server is refused ends with that error; URLSession by itself would
    /// report that it was cancelled.
    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      guard trust != .system,
        challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust
      else { return completionHandler(.performDefaultHandling, nil) }
      guard let presented = challenge.protectionSpace.serverTrust, SecTrustEvaluateWithError(presented, nil),
        let chain = SecTrustCopyCertificateChain(presented) as? [SecCertificate],
        chain.contains(where: { isPinned(SecCertificateCopyData($0) as Data) })
      else {
        end(task.taskIdentifier, with: TransportError(.insecure))
        return completionHandler(.cancelAuthenticationChallenge, nil)
      }
      completionHandler(.useCredential, URLCredential(trust: presented))
    }

    private func isPinned(_ certificate: Data) -> Bool {
      switch trust {
      case .system: return true
      case .pinned(let digests): return digests.contains(Data(SHA256.hash(data: certificate)))
      case .pinnedKeys(let digests):
        guard let key = SubjectPublicKey.info(ofCertificate: certificate) else { return false }
        return digests.contains(Data(SHA256.hash(data: key)))
      }
    }
  #endif

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    if let error {
      return end(task.taskIdentifier, with: TransportError(urlError: error, isInsideAnswer: task.response != nil))
    }
    // An answer without a body is opened by its end.
    open(task)
    guard let response = task.response as? HTTPURLResponse else {
      return end(task.taskIdentifier, with: TransportError(.invalidAnswer))
    }
    switch underWay.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) {
    case .whole(let whole):
      whole.continuation.resume(
        returning: .success(
          TransportResponse(status: response.statusCode, headers: TransportHeaders(response), body: whole.body)))
    case .open(let source): source.end()
    case .opening, nil: break
    }
  }
}

extension TransportHeaders {
  fileprivate init(_ response: HTTPURLResponse) {
    self.init()
    for (name, value) in response.allHeaderFields {
      if let name = name as? String, let value = value as? String { self[name] = value }
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
    /// Outside of Apple's systems URLSession calls libcurl, and gives one code for many of libcurl's. This finds out
    /// which of them it was, such as that the server was killed.
    private static func code(ofLibcurl error: any Error, isInsideAnswer: Bool) -> Code? {
      switch (error as? URLError)?.code {
      // The server closed the connection without an answer.
      case .badServerResponse: return .connectionLost
      // The address was checked before, so it is the answer that is not HTTP.
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
