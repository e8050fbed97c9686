// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import Hummingbird
import HummingbirdHTTP2
import HummingbirdTesting
import Logging
import Synchronization
import Testing
import TestSupport

/// What Apple's and Google's services are to a sender: HTTP/2 over TLS under a certificate of an authority that only this
/// test trusts. It answers what the test wants, and keeps what it hears.
final class PushPeer: Sendable {
  struct Heard: Sendable {
    let method: String
    let path: String
    let headers: [String: String]
    let body: Data
    let isHTTP2: Bool
    let connection: ObjectIdentifier

    func json() throws -> [String: Any] {
      try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any])
    }
  }

  struct Answer: Sendable {
    var status = 200
    var body = "{}"
  }

  struct Context: RequestContext {
    var coreContext: CoreRequestContextStorage
    let isHTTP2: Bool
    let connection: ObjectIdentifier
    let close: @Sendable () -> Void

    init(source: ApplicationRequestContextSource) {
      coreContext = CoreRequestContextStorage(source: source)
      // A stream's parent is its connection, whose parent is the listener.
      isHTTP2 = source.channel.parent?.parent != nil
      let line = isHTTP2 ? source.channel.parent ?? source.channel : source.channel
      connection = ObjectIdentifier(line as AnyObject)
      close = { line.close(promise: nil) }
    }
  }

  let port: Int
  let http: PeerHTTP
  private let state: State
  var base: String { "https://localhost:\(port)" }
  var heard: [Heard] { state.inner.withLock { $0.heard } }

  final class State: Sendable {
    let inner = Mutex<(heard: [Heard], answers: [Answer], lines: [ObjectIdentifier: @Sendable () -> Void])>(
      ([], [], [:]))

    /// A sender keeps its connection, and the server would wait for it to let go.
    func closeAll() { for close in inner.withLock({ Array($0.lines.values) }) { close() } }
  }

  private init(port: Int, http: PeerHTTP, state: State) {
    (self.port, self.http, self.state) = (port, http, state)
  }

  /// What is answered next; afterwards 200 with an empty object.
  func answer(_ answers: Answer...) { state.inner.withLock { $0.answers += answers } }

  static func run(_ play: @escaping @Sendable (PushPeer) async throws -> Void) async throws {
    let (authority, state) = (try TestAuthority(), State())
    let identity = try authority.vouch(for: "DNS:localhost,IP:127.0.0.1")
    let router = Router(context: Context.self)
    router.post("**") { request, context in
      var request = request
      let body = try await request.collectBody(upTo: 1 << 20)
      let heard = Heard(
        method: request.method.rawValue, path: request.uri.path,
        headers: Dictionary(request.headers.map { ($0.name.canonicalName, $0.value) }) { one, _ in one },
        body: Data(body.readableBytesView), isHTTP2: context.isHTTP2, connection: context.connection)
      let answer = state.inner.withLock { state in
        state.heard.append(heard)
        state.lines[context.connection] = context.close
        return state.answers.isEmpty ? Answer() : state.answers.removeFirst()
      }
      return Response(
        status: .init(code: answer.status), headers: [.contentType: "application/json"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: answer.body)))
    }
    let tls = TLSConfiguration.makeServerConfiguration(
      certificateChain: try NIOSSLCertificate.fromPEMFile(identity.certificate).map { .certificate($0) },
      privateKey: .privateKey(try NIOSSLPrivateKey(file: identity.key, format: .pem)))
    let application = Application(
      router: router, server: try .http2Upgrade(tlsConfiguration: tls),
      configuration: .init(address: .hostname("127.0.0.1", port: 0)), logger: LogRecorder().logger)
    let http = PeerHTTP.curl(
      threads: BlockingThreadPool("push tests", width: 2), caFile: authority.certificate, keepsConnections: true)
    try await application.serve(.ahc(.https)) { client in
      defer { state.closeAll() }
      try await play(PushPeer(port: try #require(client.port), http: http, state: state))
    }
  }
}
