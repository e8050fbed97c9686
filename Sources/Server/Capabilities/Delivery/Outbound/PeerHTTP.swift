import CTransfer
import Foundation

/// Calls to servers of other parties whose answer matters: a bank, a webhook's receiver. A port: tests put a peer of
/// their own in its place.
package struct PeerHTTP: Sendable {
  package struct Call: Sendable {
    package let method: String
    package let url: String
    package let headers: [String: String]
    package let body: Data

    package init(_ method: String, _ url: String, headers: [String: String], body: Data) {
      self.method = method
      self.url = url
      self.headers = headers
      self.body = body
    }
  }

  package struct Answer: Sendable {
    package let status: Int
    package let body: Data

    package init(status: Int, body: Data = Data()) {
      self.status = status
      self.body = body
    }
  }

  /// Why there was no answer. Names neither address nor content, so that it can be logged.
  package enum Failure: Error, Equatable {
    case unreachable, timedOut, tls
    /// Too much is waiting to be sent from this process.
    case crowded
    /// An address or a field that cannot be sent; repeating it changes nothing.
    case misconfigured
    /// The name stands for no public address, and others are not called.
    case forbidden
    /// Also an answer that is longer than anybody reads.
    case failed
  }

  /// - Throws: `Failure`. Every status is an answer.
  package let send: @Sendable (Call) async throws -> Answer

  package init(send: @escaping @Sendable (Call) async throws -> Answer) { self.send = send }

  /// How long a peer may take for a whole call.
  package static let timeout = Duration.seconds(30)
  /// Bytes of an answer.
  package static let answerMax = 1 << 20

  /// Over libcurl: no redirect is followed, no proxy is used, HTTP/2 is spoken over TLS where the peer takes it.
  /// - Parameters:
  ///   - caFile: PEM file of the only trusted certificates; nil for the system's.
  ///   - isPublicOnly: whether only public addresses are called: for those that others chose. Asked at each connection,
  ///     after the name was resolved.
  ///   - keepsConnections: for peers that are called often and bear repetition (`TransferPeer.keepsConnection`).
  ///   - readsAnswers: false for peers of whom the status says all: whether a body comes, ends, or is too long for
  ///     anybody to read, changes nothing.
  package static func curl(
    lanes: BlockingThreadPool, caFile: String? = nil, timeout: Duration = timeout, keepsConnections: Bool = false,
    isPublicOnly: Bool = false, readsAnswers: Bool = true
  ) -> PeerHTTP {
    PeerHTTP { call in
      let headers = call.headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" } + ["Expect:"]
      guard ([call.url, call.method] + headers).allSatisfy({ !$0.utf8.contains { $0 < 0x20 || $0 == 0x7f } }) else {
        throw Failure.misconfigured
      }
      var peer = TransferPeer(url: call.url)
      peer.caFile = caFile
      peer.timeout = timeout
      peer.keepsConnection = keepsConnections
      peer.isPublicOnly = isPublicOnly
      let answer: CurlTransfer.Answer
      do {
        answer = try await lanes.run { [peer] in
          CurlTransfer.request(
            call.method, headers: headers, body: call.body, to: peer, answerMax: readsAnswers ? answerMax : nil)
        }
      } catch is BlockingThreadPoolFull { throw Failure.crowded }
      switch answer.outcome {
      case CTRANSFER_OK: return Answer(status: answer.status, body: answer.body)
      case CTRANSFER_UNREACHABLE: throw Failure.unreachable
      case CTRANSFER_TIMED_OUT: throw Failure.timedOut
      case CTRANSFER_TLS: throw Failure.tls
      case CTRANSFER_MISUSE: throw Failure.misconfigured
      case CTRANSFER_FORBIDDEN: throw Failure.forbidden
      default: throw Failure.failed
      }
    }
  }
}
