import HTTP
import Kit
import Logging

/// What this process counts and traces of itself.
struct Telemetry: Sendable {
  let requests = RequestMetrics()
  let connections: ConnectionCount
  let bodies: BodyBudget
  let moves = FlowMoveMetrics()
  let effects = EffectMetrics()
  let jobs = JobMetrics()
  let process: ProcessMetrics
  let tracer: GatehouseTracer
  /// Where spans go; nil when the settings name no file.
  let traceFile: SpanFile?

  /// - Throws: when the trace file cannot be opened.
  init(_ settings: OperationsSettings, world: World, logger: Logger) throws {
    var limits = settings.connections
    limits.connectionsMax = min(limits.connectionsMax, OpenFiles.roomForConnections())
    connections = ConnectionCount(limits)
    bodies = BodyBudget(bytesMax: settings.bodiesMax * 1024 * 1024)
    process = ProcessMetrics(version: ProductVersion.current, world: world)
    traceFile = try settings.tracesFile.map { try SpanFile(path: $0, service: "gatehouse", logger: logger) }
    tracer = GatehouseTracer(world: world, ratio: settings.tracesRatio, export: traceFile?.export)
  }

  /// Counters of this process, which are always at hand.
  var families: [MetricFamily] {
    requests.families + connections.families + bodies.families + moves.families + effects.families + jobs.families
      + process.families
      + (traceFile?.families ?? [])
  }
}
