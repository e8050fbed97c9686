// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Synchronization

/// One conversation with a client, line by line. Blocking: runs on a thread of its own.
final class TestConnection {
  private let input: Int32
  private let output: Int32
  private var buffer = Data()

  init(input: Int32, output: Int32) {
    self.input = input
    self.output = output
  }

  var descriptor: Int32 { input }

  /// Without its line end; nil when the client has gone.
  func line() -> String? {
    while true {
      if let end = buffer.firstIndex(of: 10) {
        var line = buffer[buffer.startIndex..<end]
        buffer = Data(buffer[(end + 1)...])
        if line.last == 13 { line = line.dropLast() }
        return String(decoding: line, as: UTF8.self)
      }
      guard fill() else { return nil }
    }
  }

  func bytes(_ count: Int) -> Data {
    while buffer.count < count { guard fill() else { break } }
    defer { buffer = Data(buffer.dropFirst(count)) }
    return Data(buffer.prefix(count))
  }

  func say(_ text: String) {
    let bytes = Array((text + "\r\n").utf8)
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { write(output, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      sent += count
    }
  }

  private func fill() -> Bool {
    var chunk = [UInt8](repeating: 0, count: 4096)
    let count = read(input, &chunk, chunk.count)
    guard count > 0 else { return false }
    buffer += chunk[..<count]
    return true
  }
}

/// Listens on a free port of 127.0.0.1 and gives every client a thread.
final class LoopbackServer: Sendable {
  let port: Int
  private let socket: Int32

  init(_ serve: @escaping @Sendable (TestConnection) -> Void) throws {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = Self.address(port: 0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, length) == 0 && listen(socket, 16) == 0 && getsockname(socket, $0, &length) == 0
      }
    }
    guard isListening else { throw POSIXError(.EADDRNOTAVAIL) }
    self.socket = socket
    port = Int(UInt16(bigEndian: address.sin_port))
    signal(SIGPIPE, SIG_IGN)
    Thread.detachNewThread {
      while true {
        let client = accept(socket, nil, nil)
        if client < 0 {
          guard errno == EINVAL else { continue }
          // Closed here and nowhere else: closed under `accept`, its number could become another server's.
          close(socket)
          return
        }
        Thread.detachNewThread {
          serve(TestConnection(input: client, output: client))
          shutdown(client, Int32(SHUT_RDWR))
          close(client)
        }
      }
    }
  }

  /// Ends `accept`, after which its thread closes the socket.
  deinit { shutdown(socket, Int32(SHUT_RDWR)) }

  /// A socket to another process on this machine.
  static func dial(port: Int) -> Int32 {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = address(port: port)
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isConnected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, size) == 0 }
    }
    return isConnected ? socket : -1
  }

  private static func address(port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return address
  }
}

/// What a server heard, for the test to look at when the client is done.
final class Transcript: Sendable {
  private let entries = Mutex<[String]>([])

  var lines: [String] { entries.withLock { $0 } }

  func note(_ line: String) { entries.withLock { $0.append(line) } }

  func first(_ prefix: String) -> String? { lines.first { $0.hasPrefix(prefix) } }
}
