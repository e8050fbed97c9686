// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseApp
import Kit

#if canImport(Glibc)
  import Glibc
#endif

/// Customers who listen, each over a connection of their own, all on one thread: what they are told, and when. A
/// connection that breaks is taken up at the next node, after the last event that was seen.
final class ChatReaders {
  /// What came over a session's connections.
  struct Heard: Sendable {
    let number: Int64
    let text: String
    /// By the world's ticks.
    let at: Duration
  }

  private struct Reader {
    let request: @Sendable (Int64) -> [UInt8]
    var socket: Int32 = -1
    var port: Int
    var last: Int64
    var unread: [UInt8] = []
    var heard: [Heard] = []
    var connections = 0
    var isAnswered = false
  }

  private static let bufferSize = 64 * 1024
  private static let welcome = Array("HTTP/1.1 200 ".utf8)

  private var readers: [Reader]
  private let ports: [Int]
  private var buffer = [UInt8](repeating: 0, count: bufferSize)

  /// - Parameter sessions: who listens, by which request after a number, from which number on.
  init(_ sessions: [(begin: Int64, request: @Sendable (Int64) -> [UInt8])], ports: [Int]) {
    self.ports = ports
    readers = sessions.enumerated().map { index, session in
      Reader(request: session.request, port: index % ports.count, last: session.begin)
    }
  }

  deinit { for reader in readers where reader.socket >= 0 { close(reader.socket) } }

  var heard: [[Heard]] { readers.map(\.heard) }
  /// Whether every reader was answered: what is said from now on finds them listening.
  var areAnswered: Bool { readers.allSatisfy(\.isAnswered) }
  /// Connections beyond the first of each.
  var reconnections: Int { readers.reduce(0) { $0 + max(0, $1.connections - 1) } }

  /// Connects everybody who is not connected.
  /// - Returns: whether all are.
  @discardableResult
  func connect() -> Bool {
    for index in readers.indices where readers[index].socket < 0 { open(index) }
    return readers.allSatisfy { $0.socket >= 0 }
  }

  /// Listens for a while.
  func listen(_ milliseconds: Int32) {
    connect()
    var polled = readers.map { pollfd(fd: $0.socket, events: Int16(POLLIN), revents: 0) }
    guard poll(&polled, nfds_t(polled.count), milliseconds) > 0 else { return }
    for index in polled.indices where polled[index].revents != 0 && readers[index].socket >= 0 { read(index) }
  }

  private func open(_ index: Int) {
    let (port, request) = (ports[readers[index].port], readers[index].request(readers[index].last))
    readers[index].unread = []
    guard let socket = try? LoopbackSocket.connected(port: port) else { return next(index) }
    let sent = request.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    guard sent == request.count else {
      close(socket)
      return next(index)
    }
    readers[index].socket = socket
    readers[index].connections += 1
  }

  private func next(_ index: Int) { readers[index].port = (readers[index].port + 1) % ports.count }

  private func read(_ index: Int) {
    let count = recv(readers[index].socket, &buffer, buffer.count, 0)
    guard count > 0 else {
      close(readers[index].socket)
      readers[index].socket = -1
      return next(index)
    }
    let now = World.live.ticks()
    readers[index].unread += buffer[..<count]
    if readers[index].unread.starts(with: Self.welcome) { readers[index].isAnswered = true }
    take(index, at: now)
  }

  /// The events that are whole. Frames of chunks end their lines with CR LF and events do not, so what lies between is
  /// told apart by that.
  private func take(_ index: Int, at now: Duration) {
    let end: [UInt8] = [10, 10]
    while let place = readers[index].unread.firstRange(of: end) {
      let event = String(decoding: readers[index].unread[..<place.lowerBound], as: UTF8.self)
        .replacing("\r\n", with: "\n")
      readers[index].unread.removeSubrange(..<place.upperBound)
      var (number, kind, text): (Int64?, String, String) = (nil, "", "")
      for line in event.split(separator: "\n") {
        if line.hasPrefix("id: ") { number = Int64(line.dropFirst(4)) }
        if line.hasPrefix("event: ") { kind = String(line.dropFirst(7)) }
        if line.hasPrefix("data: ") { text = String(line.dropFirst(6)) }
      }
      guard kind == "message", let number else { continue }
      readers[index].last = number
      readers[index].heard.append(Heard(number: number, text: text, at: now))
    }
  }
}

/// A socket of this machine that blocks.
enum LoopbackSocket {
  static func connected(port: Int) throws -> Int32 {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard socket >= 0 else { throw LoopbackConnection.Failure.notConnected }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(port).bigEndian)
    address.sin_addr = in_addr(s_addr: UInt32(0x7f00_0001).bigEndian)
    let connected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard connected == 0 else {
      close(socket)
      throw LoopbackConnection.Failure.notConnected
    }
    return socket
  }
}
