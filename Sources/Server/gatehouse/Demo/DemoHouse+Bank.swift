import Console
import Foundation
import Glibc
import Kit
import Storage

extension DemoHouse {
  /// Starts an installation with a demonstration bank, made as an operator makes one, hands it over, and stops it.
  static func runWithBank(
    in folder: String, clock: DemoClock, database: (any SQLDatabase)? = nil,
    _ body: @escaping @Sendable (House, URL, DemoBankSetup.Made) async throws -> Void
  ) async throws {
    var settings = Settings()
    settings.dataFolder = folder
    settings.logLevel = "error"
    // Devices of v1 sign the whole address, so the bank's links have to know the port before there is a server.
    settings.port = try freePort()
    let logger = settings.logger("gatehouse")
    let first = try await House.open(
      settings, database: database, world: clock.world, logger: logger, passwordCost: passwordCost)
    let made = try await DemoBankSetup(house: first, cost: passwordCost).make(code: "demobank")
    settings.demoBank.book = made.book
    let house = try await House.open(
      settings, database: database, world: clock.world, logger: logger, passwordCost: passwordCost)
    try await LoopbackServer.run({ bound in [house.server { bound.yield($0) }, house.worker] }, logger: logger) {
      port in
      guard let address = URL(string: "http://127.0.0.1:\(port)") else { throw NotStarted() }
      try await body(house, address, made)
    }
  }

  /// A port that nobody listened on a moment ago.
  static func freePort() throws -> Int {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw NotStarted() }
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isBound else { throw NotStarted() }
    return Int(UInt16(bigEndian: address.sin_port))
  }
}
