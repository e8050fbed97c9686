// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Conversations
import Demonstration
import FinapticFlow
import Foundation
import GatehouseApp
import Kit
import ServiceLifecycle
import Storage

extension BenchCommand {
  struct Chat: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "chat",
      abstract: "Conversations at once: the time from sending to receiving, each message heard once and in order.",
      discussion: """
        One node; customers, agent and server in this process, over HTTP on the loopback. The embedded store in a folder \
        that goes away, or an empty PostgreSQL database. Build with -c release.
        """)

    @Option(help: "Conversations at once.")
    var sessions = 500

    @Option(help: "Messages of one conversation, both sides'.")
    var words = 10

    @Option(help: "Messages a second over all conversations; 0 is as fast as it goes.")
    var rate = 100

    @Option(help: "PostgreSQL instead of the embedded store: an empty database.")
    var databaseURL: String?

    func validate() throws {
      guard (1...5000).contains(sessions), (1...1000).contains(words), (0...10_000).contains(rate) else {
        throw ValidationError("--sessions is 1 to 5000, --words 1 to 1000, --rate 0 to 10000")
      }
    }

    func run() async throws {
      let folder = BenchOutput.folder()
      defer { try? FileManager.default.removeItem(atPath: folder) }
      var settings = Settings()
      (settings.dataFolder, settings.databaseURL) = (folder, databaseURL)
      (settings.port, settings.logLevel) = (0, "warning")
      settings[FinapticSettings.self].limitFactor = 1_000_000
      let report = try await Self.measure(
        settings, database: nil, sessions: sessions,
        ChatBench(messages: words, rate: rate == 0 ? nil : rate, say: BenchOutput.say))
      print(report.table)
      guard report.faults.isEmpty else { throw ExitCode(1) }
    }

    static func measure(
      _ settings: Settings, database: (any SQLDatabase)?, sessions: Int, _ bench: ChatBench
    ) async throws -> ChatBench.Report {
      let app = try await App.open(
        settings, database: database, logger: settings.logger("gatehouse"), passwordCost: DemoApp.passwordCost)
      return try await LoopbackServer.run(
        { bound in [app.server { bound.yield($0) }] as [any Service] }, logger: app.logger
      ) { port in
        bench.say("gathering \(sessions) conversations")
        let crowd = try await ChatCrowd.gathered(sessions, app, tenant: 1, ports: [port])
        bench.say("\(sessions) conversations, \(bench.messages) messages each")
        return try await bench.run(crowd)
      }
    }
  }
}
