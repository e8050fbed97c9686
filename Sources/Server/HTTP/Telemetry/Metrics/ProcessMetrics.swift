// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit

/// This process as the kernel sees it, under the names that Prometheus' own clients use. Linux only: elsewhere what
/// cannot be read is left out.
package struct ProcessMetrics: Sendable {
  /// Clock ticks a second in `/proc` (proc(5)): a constant of Linux's interface to programs.
  private static let ticksPerSecond = 100.0

  let version: String
  let start: Instant

  /// - Parameter world: its present is the start.
  package init(version: String, world: World) {
    self.version = version
    start = world.now()
  }

  package var families: [MetricFamily] {
    var families: [MetricFamily] = [
      .labelled(
        "gatehouse_build_info", help: "Always 1; its label is the version.", labels: ["version"], [([version], 1)]),
      .single(
        "process_start_time_seconds", help: "When the process started, in seconds since 1970.",
        Double(start.milliseconds) / 1000),
    ]
    if let bytes = Self.residentBytes {
      families.append(.single("process_resident_memory_bytes", help: "Memory in use.", bytes))
    }
    if let count = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count {
      families.append(.single("process_open_fds", help: "Open file descriptors.", Double(count)))
    }
    if let seconds = Self.processorSeconds {
      families.append(
        .single("process_cpu_seconds_total", help: "Processor time, user and system.", kind: .counter, seconds))
    }
    return families
  }

  /// `VmRSS` of `/proc/self/status`, which is in KiB.
  static var residentBytes: Double? {
    let line = text("/proc/self/status")?.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) }.map { $0 * 1024 }
  }

  /// Fields 14 and 15 of `/proc/self/stat`, counted behind the program's name, which may hold spaces.
  static var processorSeconds: Double? {
    guard let stat = text("/proc/self/stat"), let name = stat.lastIndex(of: ")") else { return nil }
    let fields = stat[stat.index(after: name)...].split(separator: " ")
    guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return nil }
    return (user + system) / ticksPerSecond
  }

  private static func text(_ path: String) -> String? {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
  }
}
