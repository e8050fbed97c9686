// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import Hummingbird
import Kit
import Logging
import NIOCore
import RubixFlow
import ServiceLifecycle
import Storage

/// What operators and their tools get to see, and how a process ends.
extension App {
  var readiness: Readiness {
    let (database, world, blobs, lagMax) = (database, world, core.blobs, settings.operations.outboxLagMax)
    let (handled, vault, migrations, settings) = (worker.handled, vault, migrations, settings)
    var checks = [
      HealthCheck("store") {
        _ = try await database.read { try $0.query("SELECT 1 AS one") }
        // A full disk answers reads: it is told while there is still room for what runs.
        guard database is SQLite, FileManager.default.fileExists(atPath: settings.databasePath) else { return }
        try await Blobs.disk(settings.dataFolder).check()
      },
      HealthCheck("schema") {
        guard try await database.read({ try SchemaStore($0).holds(migrations) }) else {
          throw HealthCheckFailed()
        }
      },
      HealthCheck("keys") {
        guard try await vault.opensAll(in: database) else { throw HealthCheckFailed() }
      },
      HealthCheck("outbox") {
        // What only a newer program performs says nothing about this one.
        let lag = try await database.read { try OutboxStore($0).idleLag(now: world.now(), of: handled) }
        guard lag <= lagMax else { throw HealthCheckFailed() }
      },
      HealthCheck("blobs") { try await blobs.check() },
      // Lists, models and the modes of the files of keys may change while this process runs.
      HealthCheck("configuration") {
        let faults = settings.runningFaults
        guard faults.isEmpty else { throw StartRefused(faults: faults) }
        // Without a former version of an empty list, every screening fails.
        if !settings.waived.contains(.screening), settings.emptyList != nil { _ = try await screeningSource.index() }
      },
    ]
    if let auditCheckpoints {
      let start = world.now()
      checks.append(
        HealthCheck("anchor", ageMax: settings.operations.anchorAgeMax) {
          try await auditCheckpoints.age() ?? (world.now() - start)
        })
    }
    return Readiness(
      checks, drain: drain, world: world.machine, failingJobs: { [jobs = telemetry.jobs] in jobs.failing })
  }

  /// - Parameter serves: whether this process takes requests: one that does not reads no certificate anew, and would tell
  ///   the end of an old one.
  func metrics(serves: Bool = true) -> MetricsPage {
    let (database, world, telemetry, evidence) = (database, world, telemetry, evidence)
    let passwords = passwordThreads
    var sources = [
      MetricSource("process") { telemetry.families + evidence.families + passwords.families },
      MetricSource("outbox") {
        try await database.read { try OutboxStore($0).gauge(now: world.now()).families }
      },
    ]
    if serves, let certificate {
      sources.append(
        MetricSource("certificate") {
          [
            .single(
              "gatehouse_tls_certificate_end_timestamp_seconds",
              help: "When the certificate stops being valid, since 1970.", Double(certificate.end.seconds))
          ]
        })
    }
    sources.append(MetricSource("screening", read: screeningFamilies))
    sources.append(MetricSource("figures") { [figures] in try await figures.recent().families })
    if let auditCheckpoints {
      sources.append(
        MetricSource("anchor") {
          guard let age = try await auditCheckpoints.age() else { return [] }
          return [
            .single(
              "gatehouse_audit_anchor_age_seconds",
              help: "Age of the last checkpoint of the audit log that is anchored.", age.inSeconds)
          ]
        })
    }
    sources.append(
      MetricSource("backup") { [self] in
        guard let taken = try await lastBackup() else { return [] }
        return [
          .single(
            "gatehouse_backup_last_success_timestamp_seconds",
            help: "When the last sound backup was taken, since 1970.", Double(taken.seconds))
        ]
      })
    if let postgres = database as? Postgres {
      sources.append(
        MetricSource("pool") {
          let use = postgres.use
          return [
            .labelled(
              "gatehouse_store_connections", help: "Connections to the store.", labels: ["state"],
              [(["max"], use.max), (["open"], use.open), (["busy"], use.busy)].map { ($0.0, Double($0.1)) }),
            .single("gatehouse_store_waiting", help: "Transactions that wait for a connection.", Double(use.waiting)),
            .single(
              "gatehouse_store_listenings_total", help: "Connections that listened for signals since the start.",
              kind: .counter, Double(postgres.listenings)),
          ]
        })
    }
    if let sqlite = database as? SQLite {
      sources.append(
        MetricSource("log") {
          [.single("gatehouse_store_log_bytes", help: "Length of the write-ahead log.", Double(sqlite.logBytes))]
        })
    }
    return MetricsPage(sources)
  }

  /// What the operations listener serves. Not the public one: it names no customer, but it shows the state of the
  /// installation.
  func operationsRouter(serves: Bool = true) -> Router<PublicContext> {
    // Balancers and monitors ask by HEAD too.
    let router = Router(context: PublicContext.self, options: .autoGenerateHeadEndpoints)
    router.add(middleware: CorrelationMiddleware(world: world))
    router.add(middleware: AnswerHeadersMiddleware())
    router.add(middleware: ProblemMiddleware(dialect: RubixDialect()))
    OperationsRoutes(readiness: readiness, metrics: metrics(serves: serves)).add(to: router)
    return router
  }

  /// The server, and the gate that is told first when the process is to end.
  /// - Parameter onReady: is told the port that was bound.
  package func drainingServer(
    onReady: @escaping @Sendable (Int) async -> Void = { _ in }
  ) -> [any Service] {
    let operations = settings.operations
    return [
      CertificateReload(certificate: certificate, world: settings.world, logger: logger),
      stoppedInOrder(
        ListeningServer(
          server: server(onReady: onReady), host: settings.host, port: settings.port, setting: "port"),
        atMost: operations.drainLimit),
      drainGate(grace: operations.drainGrace),
    ]
  }

  /// The gate of a process that takes no requests: no balancer has to notice that it leaves.
  package var workerGate: DrainGate { drainGate(grace: .zero) }

  /// Tells the service manager that effects are performed: as a service, so that signals are heeded by then.
  package var workerReady: WorkerReady { WorkerReady(manager: settings.serviceManager) }

  private func drainGate(grace: Duration) -> DrainGate {
    DrainGate(drain, grace: grace, telling: settings.serviceManager)
  }

  /// - Parameter limit: for its running requests to end; one second at least. A server that is cancelled while its listener
  ///   is still open may end the process (`GracefulCancellation`).
  private func stoppedInOrder(_ server: any Service, atMost limit: Duration) -> any Service {
    GracefulCancellation(ShutdownTimeout(max(limit, .seconds(1)), server), logger: logger)
  }

  /// Runs until a signal ends it. Services stop in reverse order, each when the one behind it has ended: the gate, the
  /// server with its running requests, the worker with its running effects, then what watches them. When one fails, the
  /// others are cancelled, the servers stop in order, and its error is thrown.
  package func run(_ services: [any Service]) async throws {
    let serves = services.contains { $0 is CertificateReload }
    let watchers: [any Service] =
      [
        settings.serviceManager.map { Supervision($0, logger: logger) }, blobService, anchorService,
      ].compactMap { $0 } + telemetry.services
      // What is asked there is answered within seconds, and the process may have used up its time by then.
      + [stoppedInOrder(operationsServer(serves: serves), atMost: .seconds(5))]
    var configuration = ServiceGroupConfiguration(
      services: (watchers + services).map { .init(service: $0) }, gracefulShutdownSignals: [.sigterm, .sigint],
      logger: logger)
    // Whatever does not heed its own limit is cancelled, so that a process that was told to end does end.
    configuration.maximumGracefulShutdownDuration =
      settings.operations.drainGrace + settings.operations.drainLimit + .seconds(60)
    try await ServiceGroup(configuration: configuration).run()
  }

  func operationsServer(serves: Bool = true) -> OperationsServer {
    let operations = settings.operations
    return OperationsServer(
      server: operationsApplication(serves: serves), host: operations.host,
      port: operations.port ?? OperationsSettings.defaultPort, isOptional: operations.port == nil, logger: logger)
  }

  /// Connections of collectors, probes and operators, who come by a few networks. One network does not keep out the
  /// others: a probe that is refused may have the node ended.
  static var operatorsLimits: ConnectionLimits {
    var limits = ConnectionLimits()
    (limits.connectionsMax, limits.ofNetworkMax) = (128, 64)
    return limits
  }

  /// - Parameter limits: counted apart from those of clients, so that a node that is full is seen to be. What dawdles or
  ///   sends without end here would take from the same process.
  func operationsApplication(
    serves: Bool = true, limits: ConnectionLimits = operatorsLimits
  ) -> some ApplicationProtocol {
    let operations = settings.operations
    let port = operations.port ?? OperationsSettings.defaultPort
    var quiet = logger
    quiet.logLevel = max(quiet.logLevel, .warning)
    let connections = ConnectionCount(limits)
    return Application(
      router: operationsRouter(serves: serves), server: .http1(configuration: Self.connection(connections)),
      configuration: .init(address: .hostname(operations.host, port: port), serverName: nil),
      onServerRunning: { [logger] channel in
        logger.info(
          "operations: /health/live, /health/ready, /metrics",
          metadata: ["host": "\(operations.host)", "port": "\(channel.localAddress?.port ?? port)"])
      }, logger: quiet)
  }
}

/// The operations listener. On the default port it steps aside for a process that was there before, so that
/// two nodes start on one machine without a setting; on a chosen port that is an error, and so is whatever else keeps it
/// from listening.
struct OperationsServer: Service {
  let server: any Service
  let host: String
  let port: Int
  let isOptional: Bool
  let logger: Logger

  func run() async throws {
    do { try await server.run() } catch let error as IOError where isOptional && error.errnoCode == EADDRINUSE {
      logger.warning("no operations listener: its port is taken; choose another with operations.port")
      try? await gracefulShutdown()
    } catch let error as IOError {
      guard let words = ListeningServer.words(error.errnoCode, host: host, port: port, setting: "operations.port")
      else { throw error }
      throw SettingsError(words)
    }
  }
}

package struct WorkerReady: Service {
  let manager: ServiceManager?

  package func run() async throws {
    manager?.tell(.ready, .status("performing owed effects"))
    try? await gracefulShutdown()
  }
}
