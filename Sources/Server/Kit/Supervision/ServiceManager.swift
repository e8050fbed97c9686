// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The service manager that started this process, and that is told how it is: systemd, and whatever speaks its
/// protocol. It is told by datagrams of `NAME=VALUE` lines, as sd_notify(3) describes them.
package struct ServiceManager: Sendable, Equatable {
  /// One of the states that sd_notify(3) names.
  package enum State: Sendable, Equatable {
    /// What the process was started for is done from now on.
    case ready
    /// The process is on its way out.
    case stopping
    /// The process lives: the answer to a watchdog.
    case alive
    /// A line for the person who asks the manager.
    case status(String)

    var line: String {
      switch self {
      case .ready: "READY=1"
      case .stopping: "STOPPING=1"
      case .alive: "WATCHDOG=1"
      // One assignment a line: a line end would begin another one.
      case .status(let text): "STATUS=" + text.filter { !$0.isNewline }
      }
    }
  }

  /// A path of the file system, or `@` and a name of Linux's abstract namespace.
  private let address: String
  /// The manager ends a process of which it hears nothing for so long; nil asks for nothing.
  package let watchdog: Duration?

  /// - Parameters:
  ///   - environment: names the socket in `NOTIFY_SOCKET`, and in `WATCHDOG_USEC` the time in microseconds.
  ///   - process: `WATCHDOG_PID` may say that the watchdog is another process's.
  /// - Returns: nil when there is no manager to be told, or one whose address is of another kind.
  package init?(environment: [String: String], process: Int32 = ProcessInfo.processInfo.processIdentifier) {
    guard let socket = environment["NOTIFY_SOCKET"], socket.hasPrefix("/") || socket.hasPrefix("@"),
      socket.utf8.count > 1, socket.utf8.count < Self.pathMax
    else { return nil }
    address = socket
    let isOurs = environment["WATCHDOG_PID"].map { $0 == "\(process)" } ?? true
    let microseconds = environment["WATCHDOG_USEC"].flatMap { Int64($0) }
    watchdog = isOurs ? microseconds.flatMap { $0 > 0 ? .microseconds($0) : nil } : nil
  }

  /// Bytes of an address, with the zero behind a path.
  private static let pathMax = MemoryLayout.size(ofValue: sockaddr_un().sun_path)

  /// Tells the manager, and waits for nothing.
  /// - Returns: whether the socket took it.
  @discardableResult
  package func tell(_ states: State...) -> Bool {
    #if canImport(Glibc)
      let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    #else
      let descriptor = socket(AF_UNIX, SOCK_DGRAM, 0)
    #endif
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(address.utf8)
    withUnsafeMutableBytes(of: &name.sun_path) { path in
      path.copyBytes(from: bytes)
      // A name of the abstract namespace begins with a zero, and its length ends it.
      if address.hasPrefix("@") { path[0] = 0 }
    }
    let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? MemoryLayout<sa_family_t>.size
    let length = socklen_t(start + bytes.count + (address.hasPrefix("@") ? 0 : 1))
    let text = Array(states.map(\.line).joined(separator: "\n").utf8)
    let sent = withUnsafePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(descriptor, text, text.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT), $0, length)
      }
    }
    return sent == text.count
  }
}
