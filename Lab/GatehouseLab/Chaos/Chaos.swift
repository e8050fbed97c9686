// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CrashTrials
import Foundation
import Kit
import Storage

/// Breaks what can break while customers are being onboarded, and then looks for everything that was promised.
struct ChaosCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "chaos",
    abstract:
      "Break what can break under load, and look for everything that was promised; 1 when something is missing.",
    subcommands: [Nodes.self, Node.self, Crash.self])

  static let say: @Sendable (String) -> Void = { FileHandle.standardError.write(Data("chaos: \($0)\n".utf8)) }

  /// Makes the folder of a run, which scripts/chaos names in the environment.
  static func makeFolder() throws -> String {
    let folder =
      ProcessInfo.processInfo.environment["CHAOS_FOLDER"]
      ?? FileManager.default.temporaryDirectory.appending(path: "gatehouse-chaos-\(World.live.uuid())").path
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    return folder
  }
}

/// Options of every run with customers.
struct ChaosOptions: ParsableArguments {
  @Option(help: "The same seed plans the same faults.")
  var seed: UInt64 = 7

  @Option(help: "What the customers go through: rubix, wultra or finaptic.")
  var flow = ChaosFlow.rubix

  @Option(help: "For how long the weather rages.")
  var minutes = 1.25

  @Option(help: "Customers at once; each begins anew until the time is over.")
  var journeys = 200

  @Option(help: "How many of them have pictures read, once, for seconds of a processor; not with finaptic.")
  var pictures = 40

  @Flag(help: "Print one JSON document instead of lines.")
  var json = false

  @Flag(help: "Keep the folder with its logs.")
  var keep = false

  func validate() throws {
    guard (0.1...120).contains(minutes), (1...2000).contains(journeys), (0...journeys).contains(pictures) else {
      throw ValidationError("--minutes is 0.1 to 120, --journeys 1 to 2000, --pictures at most --journeys")
    }
  }

  /// The plan of an installation of the program that was built beside this one.
  func plan() throws -> ChaosStage.Plan {
    guard let own = Bundle.main.executableURL?.resolvingSymlinksInPath() else { throw ExitCode(1) }
    let scripts = ProcessInfo.processInfo.environment["CHAOS_SCRIPTS"] ?? "scripts"
    return ChaosStage.Plan(
      // Each phone begins anew a few times.
      clients: journeys * 5, program: own.deletingLastPathComponent().appending(path: "gatehouse").path,
      scripts: scripts)
  }

  func run(_ plan: ChaosStage.Plan, cluster: String?, _ open: (String) throws -> any SQLDatabase) async throws {
    let folder = try ChaosCommand.makeFolder()
    let stage = try await ChaosStage(plan, folder: folder)
    defer { stage.stop() }
    let database = try open(folder)
    let report = try await ChaosRun(
      stage: stage, database: database, cluster: cluster, flow: flow, customers: journeys, pictured: pictures,
      duration: .milliseconds(Int(minutes * 60_000)), seed: seed, say: ChaosCommand.say
    ).play()
    try database.close()
    stage.stop()
    print(json ? try report.json : report.text)
    if keep || !report.passed {
      ChaosCommand.say("logs and data are in \(folder)")
    } else {
      try? FileManager.default.removeItem(atPath: folder)
    }
    guard report.passed else { throw ExitCode(1) }
  }
}

extension ChaosCommand {
  /// Three nodes behind nginx on one PostgreSQL and one S3 server.
  struct Nodes: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "nodes",
      abstract: "Nodes behind nginx on PostgreSQL and S3: nodes die, the database restarts, the others answer badly.",
      discussion:
        "Run by scripts/chaos beside scripts/with-postgres, which names the server in GATEHOUSE_TEST_POSTGRES.")

    @OptionGroup var options: ChaosOptions

    @Option(help: "How many nodes.")
    var nodes = 3

    @Option(help: "Seconds that the last node's clock is ahead.")
    var skew = 5

    func run() async throws {
      guard let url = ProcessInfo.processInfo.environment["GATEHOUSE_TEST_POSTGRES"],
        let cluster = URLComponents(string: url)?.queryItems?.first(where: { $0.name == "host" })?.value
      else { throw ValidationError("GATEHOUSE_TEST_POSTGRES names no server; use scripts/chaos") }
      guard (1...9).contains(nodes), (0...60).contains(skew) else {
        throw ValidationError("--nodes 1 to 9, --skew 0 to 60")
      }
      var plan = try options.plan()
      (plan.nodes, plan.databaseURL, plan.skewSeconds, plan.usesS3) = (nodes, url, skew, true)
      try await options.run(plan, cluster: cluster) { _ in Postgres(PostgresSettings(url: url)) }
    }
  }

  /// One node on SQLite.
  struct Node: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "node", abstract: "One node on SQLite that is killed again and again.")

    @OptionGroup var options: ChaosOptions

    @Option(help: "How commits reach the disk: full or shared.")
    var sync = "full"

    func run() async throws {
      guard let durability = SQLite.Durability(rawValue: sync) else {
        throw ValidationError("--sync is full or shared")
      }
      var plan = try options.plan()
      plan.durability = durability
      try await options.run(plan, cluster: nil) {
        try SQLite(path: "\($0)/gatehouse.sqlite", durability: durability)
      }
    }
  }

  /// Writers of one SQLite file, killed at random instants.
  struct Crash: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "crash",
      abstract: "Kill writers of one SQLite file a thousand times, some of them inside a commit, and look each time.")

    @Option(help: "How often.")
    var kills = 1000

    @Option(help: "The same seed plans the same kills.")
    var seed: UInt64 = 7

    @Option(help: "How commits reach the disk: full or shared.")
    var sync = "full"

    @Flag(help: "Print one JSON document instead of lines.")
    var json = false

    func run() async throws {
      guard (1...100_000).contains(kills), let durability = SQLite.Durability(rawValue: sync) else {
        throw ValidationError("--kills is 1 to 100000, --sync full or shared")
      }
      guard let writer = CrashWriterProgram.url else { throw ValidationError("CrashWriter was not built") }
      let folder = try ChaosCommand.makeFolder()
      defer { try? FileManager.default.removeItem(atPath: folder) }
      var loop = CrashLoop(writer: writer, durability, seed: seed, folder: folder)
      for kill in 1...kills {
        try await loop.kill()
        if kill % 100 == 0 { ChaosCommand.say("\(kill) of \(kills) kills") }
      }
      let counts = loop.counts
      if json {
        print(try BenchOutput.json(counts))
      } else {
        print("kills               \(counts.kills)")
        print("commits told of     \(counts.acknowledged), each looked for")
        print("inside a commit     \(counts.insideCommit) kills")
        print("before the answer   \(counts.unheard) commits that no writer was told of")
        for fault in counts.faults.prefix(50) { print("✗ \(fault)") }
        print(counts.faults.isEmpty ? "nothing was lost" : "✗ \(counts.faults.count) promises broken")
      }
      guard counts.faults.isEmpty else { throw ExitCode(1) }
    }
  }
}
