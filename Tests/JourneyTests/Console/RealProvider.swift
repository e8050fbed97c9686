// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import Synchronization
import TestSupport

/// A real OpenID provider, oidc-provider-mock (on Authlib), in a process of its own.
final class RealProvider: Sendable {
  struct DidNotStart: Error {}

  static let isInstalled = PythonProgram.succeeds("import oidc_provider_mock")

  let issuer: String
  private let server: Mutex<PythonProgram>

  /// It leaves when its standard input ends, hence with this process, however that ends.
  private static let text = #"""
    import os, sys, threading
    os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"
    from werkzeug.serving import make_server
    from oidc_provider_mock import app

    server = make_server("127.0.0.1", 0, app(require_nonce=True), threaded=True)
    print(server.server_port, flush=True)
    threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
    server.serve_forever()
    """#

  init() throws {
    let server = try PythonProgram(Self.text)
    guard let port = Int(server.line()) else { throw DidNotStart() }
    issuer = "http://127.0.0.1:\(port)"
    self.server = Mutex(server)
  }

  /// Gives an account the claims of its next tokens.
  func set(_ subject: String, _ claims: [String: Any]) async throws {
    try await send(
      "PUT", "\(issuer)/users/\(subject)", "application/json", JSONSerialization.data(withJSONObject: claims))
  }

  /// What a person's browser is sent back with who signs in there.
  func signIn(_ subject: String, at address: String) async throws -> URL? {
    let type = "application/x-www-form-urlencoded"
    return try await send("POST", address, type, Data("sub=\(subject)".utf8)).headers["location"].flatMap {
      URL(string: $0)
    }
  }

  @discardableResult
  private func send(_ method: String, _ address: String, _ type: String, _ body: Data) async throws
    -> TransportResponse
  {
    guard let url = URL(string: address) else { throw DidNotStart() }
    return try await HTTPTransport.live().send(
      TransportRequest(method: method, url: url, headers: ["content-type": type], body: body))
  }

  func stop() { server.withLock { $0.stop() } }
}
