// SPDX-License-Identifier: Apache-2.0

import Configuration
import HTTP
import Kit

/// What an operator decides about health, metrics, traces, what clients may take of a node, and the way out.
struct OperationsSettings: Sendable {
  /// Where OpenTelemetry's Prometheus exporters listen by convention; Prometheus itself takes 9090.
  static let defaultPort = 9464

  var host = "127.0.0.1"
  /// Nil is `defaultPort`, and going without when another process has it.
  var port: Int?
  /// A node is not ready when an effect has been due for longer.
  var outboxLagMax = Duration.seconds(300)
  /// Where checkpoints of the audit log are kept: a folder, or a bucket as `S3Settings` reads it; nil makes none.
  var auditAnchors: String?
  /// Who signs for a bucket of checkpoints; nil is who signs for the blobs.
  var anchorCredentials: S3Credentials?
  /// A node is not ready when the last checkpoint was kept longer ago; nil only shows its age.
  var anchorAgeMax: Duration?
  /// For balancers to notice that the node drains, before the listener closes.
  var drainGrace = Duration.seconds(2)
  /// For running requests to end after that.
  var drainLimit = Duration.seconds(30)
  /// Where traces are written; nil writes none.
  var tracesFile: String?
  /// Where traces and lines of the log are sent; nil sends none.
  var collector: CollectorSettings?
  /// Share of the traces that begin here which are recorded, 0 to 1.
  var tracesRatio = 1.0

  /// Connections, and how slowly requests may come.
  var connections = ConnectionLimits()
  /// MiB of bodies in memory at once.
  var bodiesMax = 64
  /// Of the institution's own systems.
  var ownNetworks: [IPNetwork] = []

  init() {}

  // What docs/reference/settings.md tells of them.
  // operations.host: address of the operations listener: health and metrics
  // operations.port (default: 9464, and no listener where another process has it): its port; 0 takes any
  // health.outboxLagSeconds: a node is not ready when an effect has been due for longer, 0 to 3600
  // health.anchorAgeHours: a node is not ready when the last checkpoint was kept so many hours ago, 2 to 720; without
  //   it its age is only shown; needs audit.anchors
  // drain.graceSeconds: for balancers to notice that the node drains, before the listener closes, 0 to 3600
  // drain.limitSeconds: for running requests to end after that, 0 to 3600; 0 is one second
  // audit.anchors: where checkpoints of the audit log are kept: a folder, or a bucket as blobs.url names one; without
  //   it there are no checkpoints
  // audit.accessKeyId (default: that of s3): who signs for a bucket of audit.anchors; set together with
  //   audit.secretAccessKey
  // audit.secretAccessKey (default: that of s3): the secret key of that
  // http.connections (default: 2048): connections at once; beyond them the answer is 503
  // http.connectionsOfNetwork (default: 256, or http.connections where that is less): of these, from one network (/24
  //   or /64) but this machine; not counted with trustProxy
  // http.ownNetworks: networks of the institution's own systems, as 192.0.2.0/24 or one address: their requests do not
  //   wait for their turn behind those of others, however many they are
  // http.bytesPerSecondMin (default: 1024): bytes a second; a body that comes more slowly over 10 seconds is given up
  //   with 408
  // http.headSeconds (default: 10): seconds for the head of a request to come, 1 to 3600
  // http.bodySeconds (default: 60): seconds for the body of a request to come, from when it is read, 1 to 3600

  init(_ config: ConfigReader) throws {
    host = config.string(forKey: "operations.host", default: host)
    port = try config.int(forKey: "operations.port", in: 0...65_535)
    outboxLagMax = try Self.seconds("health.outboxLagSeconds", outboxLagMax, config)
    auditAnchors = config.string(forKey: "audit.anchors")
    switch (
      config.string(forKey: "audit.accessKeyId"), config.string(forKey: "audit.secretAccessKey", isSecret: true)
    ) {
    case (nil, nil): break
    case (let id?, let secret?): anchorCredentials = S3Credentials(accessKeyID: id, secretAccessKey: secret)
    // Those of the blobs may delete what checkpoints are kept in.
    default: throw SettingsError("audit.accessKeyId and audit.secretAccessKey are set together")
    }
    anchorAgeMax = try config.int(forKey: "health.anchorAgeHours").map { hours in
      guard (2...720).contains(hours) else { throw SettingsError("health.anchorAgeHours is between 2 and 720") }
      guard auditAnchors != nil else { throw SettingsError("health.anchorAgeHours needs audit.anchors") }
      return .hours(hours)
    }
    drainGrace = try Self.seconds("drain.graceSeconds", drainGrace, config)
    drainLimit = try Self.seconds("drain.limitSeconds", drainLimit, config)
    connections.connectionsMax = try Self.count("http.connections", connections.connectionsMax, config)
    let ofNetworkMax = try Self.count("http.connectionsOfNetwork", min(256, connections.connectionsMax), config)
    guard ofNetworkMax <= connections.connectionsMax else {
      throw SettingsError("http.connectionsOfNetwork is not above http.connections")
    }
    connections.ofNetworkMax = ofNetworkMax
    connections.headTime = try Self.seconds("http.headSeconds", connections.headTime, config)
    connections.bodyTime = try Self.seconds("http.bodySeconds", connections.bodyTime, config)
    connections.bytesPerSecondMin = try Self.count("http.bytesPerSecondMin", connections.bytesPerSecondMin, config)
    bodiesMax = try Self.count("http.bodiesMegabytes", bodiesMax, config)
    guard connections.headTime > .zero, connections.bodyTime > .zero else {
      throw SettingsError("http.headSeconds and http.bodySeconds are at least 1")
    }
    ownNetworks = try config.stringArray(forKey: "http.ownNetworks", default: []).map { text in
      guard let network = IPNetwork(text.trimmingCharacters(in: .whitespaces)) else {
        throw SettingsError("http.ownNetworks is networks such as 192.0.2.0/24, without bits behind their length")
      }
      return network
    }
    tracesFile = config.string(forKey: "traces.file")
    collector = try CollectorSettings(config)
    tracesRatio = config.double(forKey: "traces.ratio", default: tracesRatio)
    guard (0...1).contains(tracesRatio) else { throw SettingsError("traces.ratio is between 0 and 1") }
  }

  private static func count(_ key: ConfigKey, _ standard: Int, _ config: ConfigReader) throws -> Int {
    let count = config.int(forKey: key, default: standard)
    guard (1...1_000_000).contains(count) else { throw SettingsError("\(key) is between 1 and 1000000") }
    return count
  }

  private static func seconds(_ key: ConfigKey, _ standard: Duration, _ config: ConfigReader) throws -> Duration {
    let count = config.int(forKey: key, default: standard.wholeSeconds)
    guard (0...3600).contains(count) else { throw SettingsError("\(key) is between 0 and 3600") }
    return .seconds(count)
  }
}
