// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import NIOCore
import ServiceLifecycle
import TestSupport
import Testing

@testable import GatehouseApp

@Suite("Operations: a port that cannot be had", .storeless)
struct ListeningServerTests {
  private struct Refused: Service {
    let code: CInt

    func run() async throws { throw IOError(errnoCode: code, reason: "bind") }
  }

  @Test(
    "is told by number, host and setting",
    arguments: [
      (EADDRINUSE, "port 8080 of 127.0.0.1 is taken by another program: end it, or choose another one with port"),
      (EACCES, "port 8080 of 127.0.0.1 is not for this user: choose one from 1024 on with port"),
      (EADDRNOTAVAIL, "127.0.0.1 is no address of this machine: port 8080 cannot be opened there"),
    ])
  func words(code: CInt, words: String) async throws {
    let server = ListeningServer(server: Refused(code: code), host: "127.0.0.1", port: 8080, setting: "port")
    let error = try await #require(throws: SettingsError.self) { try await server.run() }
    #expect(error.description == words)
  }

  @Test("other errors stay what they are")
  func others() async {
    let server = ListeningServer(server: Refused(code: EIO), host: "127.0.0.1", port: 8080, setting: "port")
    await #expect(throws: IOError.self) { try await server.run() }
  }
}
