// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Kit
import Logging
import ServiceLifecycle
import TestSupport
import Testing

@Suite("Supervision: what a service manager is told", .storeless)
struct ServiceManagerTests {
  @Test("readiness, a status and the way out arrive as lines of sd_notify(3)")
  func states() throws {
    let folder = try TestFolder()
    let socket = try ManagerSocket(folder.file("notify"))
    let manager = try #require(ServiceManager(environment: ["NOTIFY_SOCKET": socket.address]))
    #expect(manager.tell(.ready, .status("listening\nMAINPID=1")))
    #expect(socket.next() == "READY=1\nSTATUS=listeningMAINPID=1")
    #expect(manager.tell(.stopping))
    #expect(socket.next() == "STOPPING=1")
  }

  @Test("a socket of the abstract namespace is reached too")
  func abstract() throws {
    let socket = try ManagerSocket("@gatehouse-test-\(UUID())")
    let manager = try #require(ServiceManager(environment: ["NOTIFY_SOCKET": socket.address]))
    #expect(manager.tell(.alive))
    #expect(socket.next() == "WATCHDOG=1")
  }

  @Test("a manager that is gone makes no error, and is told to have heard nothing")
  func gone() throws {
    let folder = try TestFolder()
    let manager = try #require(ServiceManager(environment: ["NOTIFY_SOCKET": folder.file("notify")]))
    #expect(!manager.tell(.ready))
  }

  @Test(
    "without an address of a kind that the protocol has there is no manager",
    arguments: [nil, "", "@", "/", "relative", "vsock:2:1234", "/" + String(repeating: "a", count: 200)])
  func addresses(address: String?) {
    var environment = ["WATCHDOG_USEC": "1000"]
    environment["NOTIFY_SOCKET"] = address
    #expect(ServiceManager(environment: environment) == nil)
  }

  @Test("the watchdog is this process's, unless it is said to be another's or its time is no time")
  func watchdog() {
    func time(_ more: [String: String]) -> Duration? {
      ServiceManager(environment: ["NOTIFY_SOCKET": "/run/notify"].merging(more) { $1 }, process: 7)?.watchdog
    }
    #expect(time([:]) == nil)
    #expect(time(["WATCHDOG_USEC": "3000000"]) == .seconds(3))
    #expect(time(["WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "7"]) == .seconds(3))
    #expect(time(["WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "8"]) == nil)
    for wrong in ["", "0", "-5", "soon"] { #expect(time(["WATCHDOG_USEC": wrong]) == nil, "\(wrong)") }
  }

  @Test("the watchdog is answered again and again, until the process ends")
  func answers() async throws {
    let folder = try TestFolder()
    let socket = try ManagerSocket(folder.file("notify"))
    let manager = try #require(
      ServiceManager(environment: ["NOTIFY_SOCKET": socket.address, "WATCHDOG_USEC": "20000"]))
    let logger = Logger(label: "test")
    let group = ServiceGroup(
      configuration: .init(
        services: [.init(service: Supervision(manager, logger: logger))], logger: logger))
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      tasks.addTask { try await group.run() }
      for _ in 0..<3 {
        let heard = await Task.detached { socket.next() }.value
        #expect(heard == "WATCHDOG=1")
      }
      await group.triggerGracefulShutdown()
      try await tasks.waitForAll()
    }
  }
}

/// The manager's end.
private final class ManagerSocket: Sendable {
  struct Refused: Error {}

  let address: String
  private let descriptor: Int32

  init(_ address: String) throws {
    self.address = address
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &name.sun_path) { path in
      path.copyBytes(from: Array(address.utf8))
      if address.hasPrefix("@") { path[0] = 0 }
    }
    var limit = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    let length = MemoryLayout<sa_family_t>.size + address.utf8.count + (address.hasPrefix("@") ? 0 : 1)
    let result = withUnsafePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, socklen_t(length)) }
    }
    guard result == 0 else {
      close(descriptor)
      throw Refused()
    }
  }

  deinit { close(descriptor) }

  /// The next datagram; nil when none comes.
  func next() -> String? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}
