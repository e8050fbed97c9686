// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import Synchronization
import Testing

/// The built program in a process of its own, that can be killed and started again on the same data.
///
/// Each start has another port; what was configured before finds the new one.
final class LiveProgram: Sendable {
  /// What the program is called by, whatever port it has.
  static let address = "http://127.0.0.1:1"

  /// Where its data is.
  let data: String
  private let port = Mutex<UInt16>(0)
  private let process = Mutex<ServedProcess?>(nil)
  private let network = HTTPTransport.live()

  init(data: String) { self.data = data }

  /// - Parameter variables: settings of the environment.
  func start(_ variables: [String: String] = [:]) throws {
    let number = try process.withLock { process in
      let started = try ServedProcess(graceSeconds: 0, data: data, variables: variables)
      process = started
      defer { started.drain() }
      return try started.port("listening")
    }
    port.withLock { $0 = number }
  }

  /// Where it listens now.
  var listening: UInt16 { port.withLock { $0 } }

  /// Ends the program as a power cut does.
  func kill() {
    process.withLock { process in
      process?.kill()
      _ = process?.wait()
      process = nil
    }
  }

  /// The network, by the port that the program has now.
  var transport: HTTPTransport {
    HTTPTransport { (request, progress) async throws(TransportError) in
      var request = request
      var parts = URLComponents(url: request.url, resolvingAgainstBaseURL: false)
      parts?.port = Int(self.port.withLock { $0 })
      request.url = parts?.url ?? request.url
      return try await self.network.send(request, progress: progress)
    }
  }
}

/// What a bank's server is told.
struct BankAnswer: Sendable {
  let body: Data

  /// The value at the end of a path of members with dots between.
  subscript(path: String) -> Any? {
    path.split(separator: ".").reduce(try? JSONSerialization.jsonObject(with: body)) { value, member in
      (value as? [String: Any])?[String(member)]
    }
  }

  func text(_ path: String) throws -> String { try #require(self[path] as? String) }
}
