// SPDX-License-Identifier: Apache-2.0

import Evidence
import Foundation
import HTTP
import Hummingbird
import HummingbirdCore
import Kit

extension App {
  /// - Parameter onReady: is told the port that was bound.
  package func server(
    onReady: @escaping @Sendable (Int) async -> Void = { _ in }
  ) -> some ApplicationProtocol {
    // Before the first caller asks for it.
    _ = OpenAPI.published
    let connections = telemetry.connections
    let connection = Self.connection(connections)
    return Application(
      router: router(),
      server: certificate.map {
        $0.server(
          connections: connections, handshakeTime: settings.operations.connections.headTime, stream: connection)
      } ?? .http1(configuration: connection),
      // With a shorter queue than the connections that it takes, a node that many come to at once would have their system
      // try again after a second.
      configuration: .init(
        address: .hostname(settings.host, port: settings.port), serverName: nil,
        backlog: connections.limits.connectionsMax),
      onServerRunning: { channel in
        let port = channel.localAddress?.port ?? settings.port
        logger.info("listening", metadata: ["host": "\(settings.host)", "port": "\(port)"])
        settings.serviceManager?.tell(.ready, .status("listening on \(settings.host), port \(port)"))
        await onReady(port)
        // Behind what the start has others do. Nothing waits for it.
        Task {
          await OpenAPI.published.made()
          ProgramCode.release()
        }
      }, logger: logger)
  }

  /// What stands between a client of HTTP/1, or a stream of HTTP/2, and the requests.
  static func connection(_ connections: ConnectionCount) -> HTTP1Channel.Configuration {
    HTTP1Channel.Configuration(
      additionalChannelHandlers: [ConnectionGuard(connections), StalledClient()], idleTimeout: .seconds(60),
      httpDecoderConfiguration: .init(
        maxHeaderFieldSize: 16 * 1024, maxHeaderListSize: 32 * 1024, maxHeaderFieldCount: 200))
  }

  /// Says how this installation differs from a production one.
  package func announce() {
    if settings.isSandbox {
      logger.warning(
        "sandbox: specimen documents are accepted and screening uses invented people; name a tenants file for customers"
      )
    }
    if settings.keepsMessages {
      logger.warning("no gateway: messages are kept at /dev/outbox, which answers this machine only")
    }
    for waiver in settings.waived.map(\.rawValue).sorted() where !settings.isSandbox {
      logger.warning("the configuration goes without what is missing", metadata: ["waiver": "\(waiver)"])
    }
    for variable in settings.unreadVariables {
      logger.warning("no setting reads this variable: is it misspelt?", metadata: ["variable": "\(variable)"])
    }
    certificate?.tellEnd(at: settings.world.now(), logger)
    if demoBank != nil {
      logger.warning("a demonstration bank is open at /demo-bank: invented customers, no money")
      if FileManager.default.fileExists(atPath: settings.demoBankPasswordsPath) {
        logger.info("the passwords of its customers are in demo-bank-passwords.txt in the data folder")
      }
    }
    if settings.clockSkew != 0 {
      logger.warning("the clock is set wrong on purpose", metadata: ["seconds": "\(settings.clockSkew)"])
    }
    if settings.modelsFolder == nil {
      logger.warning("no face models: comparison and liveness are inconclusive, an agent decides")
    }
  }
}
