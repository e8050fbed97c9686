// SPDX-License-Identifier: Apache-2.0

import CTransfer
import Foundation

/// A host that messages are handed to, and how long it may take.
struct TransferPeer: Sendable {
  var url: String
  /// PEM file of the only trusted certificates; nil for the system's.
  var caFile: String?
  var connectTimeout = Duration.seconds(10)
  /// For the whole call.
  var timeout = Duration.seconds(30)
  /// Whether the connection stays for the next request. Where a request must not go twice, it does not: one that finds
  /// the kept connection dead is sent again.
  var keepsConnection = false
  /// Whether only public addresses are connected to, whatever the name says: for addresses that a stranger chose.
  var isPublicOnly = false
  /// With `isPublicOnly`: networks that are connected to as well.
  var networks: [PeerNetwork] = []

  init(url: String) { self.url = url }
}

/// The blocking calls of `CTransfer` with Swift's types. To be run on `BlockingThreadPool`.
enum CurlTransfer {
  struct Answer {
    let outcome: ctransfer_outcome
    /// SMTP reply or HTTP status; 0 when there was none.
    let status: Int
    /// Of an HTTP answer, when it was asked for.
    var body = Data()
  }

  struct Envelope {
    let starttls: ctransfer_starttls
    let credentials: SMTPSettings.Credentials?
    let from: String
    let to: String
  }

  static func mail(_ message: Data, _ envelope: Envelope, to peer: TransferPeer) -> Answer {
    withPeer(peer) { peer in
      withStrings([envelope.from, envelope.to, envelope.credentials?.user, envelope.credentials?.password]) { strings in
        message.withUnsafeBytes { bytes in
          var status = 0
          var mail = ctransfer_mail(
            starttls: envelope.starttls, user: strings[2], password: strings[3], from: strings[0], to: strings[1],
            message: bytes.bindMemory(to: UInt8.self).baseAddress, message_length: bytes.count)
          var peer = peer
          let outcome = ctransfer_send_mail(&peer, &mail, &status)
          return Answer(outcome: outcome, status: status)
        }
      }
    }
  }

  /// - Parameter answerMax: bytes of the answer to keep; one that is longer fails. Nil drops it, and then
  ///   the status is the answer.
  static func request(
    _ method: String, headers: [String], body: Data, to peer: TransferPeer, answerMax: Int? = nil
  ) -> Answer {
    var kept = Data(count: answerMax ?? 0)
    return kept.withUnsafeMutableBytes { raw in
      var answer = ctransfer_answer(
        bytes: raw.bindMemory(to: UInt8.self).baseAddress, capacity: raw.count, length: 0)
      var result = withUnsafeMutablePointer(to: &answer) { into in
        request(method, headers: headers, body: body, to: peer, into: answerMax == nil ? nil : into)
      }
      result.body = Data(raw.prefix(answer.length))
      return result
    }
  }

  private static func request(
    _ method: String, headers: [String], body: Data, to peer: TransferPeer,
    into answer: UnsafeMutablePointer<ctransfer_answer>?
  ) -> Answer {
    withPeer(peer) { peer in
      withStrings([method] + headers) { strings in
        body.withUnsafeBytes { bytes in
          Array(strings.dropFirst()).withUnsafeBufferPointer { headers in
            var status = 0
            var request = ctransfer_request(
              method: strings[0], headers: headers.baseAddress, header_count: headers.count,
              body: bytes.bindMemory(to: UInt8.self).baseAddress, body_length: bytes.count)
            var peer = peer
            let outcome = ctransfer_send_request(&peer, &request, answer, &status)
            return Answer(outcome: outcome, status: status)
          }
        }
      }
    }
  }

  private static func withPeer(_ peer: TransferPeer, _ body: (ctransfer_peer) -> Answer) -> Answer {
    withStrings([peer.url, peer.caFile]) { strings in
      PeerNetwork.withNetworks(peer.networks) { networks in
        body(
          ctransfer_peer(
            url: strings[0], ca_file: strings[1], connect_timeout_ms: Int(peer.connectTimeout / .milliseconds(1)),
            timeout_ms: Int(peer.timeout / .milliseconds(1)), keeps_open: peer.keepsConnection,
            public_only: peer.isPublicOnly, networks: networks.baseAddress, network_count: networks.count))
      }
    }
  }

  /// C strings that live as long as `body` runs; nil stays NULL.
  private static func withStrings(_ strings: [String?], _ body: ([UnsafePointer<CChar>?]) -> Answer) -> Answer {
    let copies = strings.map { $0.map { strdup($0) } ?? nil }
    defer { for copy in copies { free(copy) } }
    return body(copies.map { UnsafePointer($0) })
  }
}
