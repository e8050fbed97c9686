// SPDX-License-Identifier: Apache-2.0

import CTransfer
import Foundation
import Kit

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
    /// Also an answer that is longer than `answerMax`.
    case failed
  }

  /// - Throws: `Failure`. Every status is an answer.
  package let send: @Sendable (Call) async throws -> Answer

  package init(send: @escaping @Sendable (Call) async throws -> Answer) { self.send = send }

  /// Over libcurl (decision 58): no redirect is followed, no proxy is used, HTTP/2 is spoken over TLS where the peer
  /// takes it.
  /// - Parameters:
  ///   - caFile: PEM file of the only trusted certificates; nil for the system's.
  ///   - timeout: for the whole call.
  ///   - isPublicOnly: whether only public addresses are called: for those that others chose. Asked at each connection,
  ///     after the name was resolved.
  ///   - networks: that are called as well although they are not public, over HTTPS alone.
  ///   - keepsConnections: for peers that are called often and idempotently (`TransferPeer.keepsConnection`).
  ///   - answerMax: bytes of an answer; a longer one is `failed`. Nil where only the status matters: the body is
  ///     dropped, and its length or a connection that breaks off in it changes nothing.
  package static func curl(
    threads: BlockingThreadPool, caFile: String? = nil, connectTimeout: Duration = .seconds(10),
    timeout: Duration = .seconds(30), keepsConnections: Bool = false, isPublicOnly: Bool = false,
    networks: [PeerNetwork] = [], answerMax: Int? = 1 << 20
  ) -> PeerHTTP {
    PeerHTTP { call in
      // `Expect:` with nothing after it keeps libcurl from asking for permission before it sends a body.
      let headers = call.headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" } + ["Expect:"]
      guard ([call.url, call.method] + headers).allSatisfy({ !$0.utf8.contains { $0 < 0x20 || $0 == 0x7f } }) else {
        throw Failure.misconfigured
      }
      var peer = TransferPeer(url: call.url)
      peer.caFile = caFile
      peer.connectTimeout = connectTimeout
      peer.timeout = timeout
      peer.keepsConnection = keepsConnections
      peer.isPublicOnly = isPublicOnly
      // An address over HTTP may be from before these networks were named: what is sent crosses none of them in clear.
      peer.networks = WebAddress(call.url)?.isSecure == true ? networks : []
      let answer: CurlTransfer.Answer
      do {
        answer = try await threads.run { [peer] in
          CurlTransfer.request(
            call.method, headers: headers, body: call.body, to: peer, answerMax: answerMax)
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

extension PeerHTTP {
  /// The answer of a service that messages are handed to.
  /// - Throws: `MessageRefused` when repeating cannot help, `MessageUndelivered` when it may.
  func deliver(_ call: Call) async throws -> Answer {
    do { return try await send(call) } catch let failure as Failure {
      switch failure {
      case .unreachable: throw MessageUndelivered(.unreachable)
      case .timedOut: throw MessageUndelivered(.timedOut)
      case .tls: throw MessageUndelivered(.tls)
      case .crowded: throw MessageUndelivered(.crowded)
      case .failed: throw MessageUndelivered(.failed)
      case .misconfigured, .forbidden: throw MessageRefused(.misconfigured)
      }
    }
  }
}

extension PeerHTTP.Answer {
  /// Request Timeout, Too Early, Too Many Requests and the 5xx of RFC 9110 may pass later; other statuses will not.
  /// - Parameter passing: further statuses that may pass.
  func requireSuccess(in statuses: ClosedRange<Int>, passing: Set<Int> = []) throws {
    guard !statuses.contains(status) else { return }
    if status >= 500 || passing.union([408, 425, 429]).contains(status) {
      throw MessageUndelivered(.byGateway(status: status))
    }
    throw MessageRefused(.byGateway(status: status))
  }
}
