// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// A connection to this machine, byte by byte: a client that dawdles.
final class HTTPSocket: Sendable {
  struct Refused: Error {}

  private let descriptor: Int32

  init(_ port: UInt16) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var timeout = timeval(tv_sec: 20, tv_usec: 0)
    // For the connection, too, which has to wait where the system has no place for it.
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(descriptor, SOL_SOCKET, option, &timeout, socklen_t(MemoryLayout<timeval>.size))
    }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else {
      close(descriptor)
      throw Refused()
    }
  }

  deinit { close(descriptor) }

  func send(_ text: String) throws {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { throw Refused() }
      bytes = bytes.dropFirst(count)
    }
  }

  /// What has come, once something has.
  func receiveSome() throws -> String {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    guard count >= 0 else { throw Refused() }
    return String(decoding: buffer[0..<count], as: UTF8.self)
  }

  /// Until the other side closes.
  func receiveAll() throws -> String {
    var (all, buffer) = (Data(), [UInt8](repeating: 0, count: 65_536))
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count >= 0 else { throw Refused() }
      if count == 0 { return String(decoding: all, as: UTF8.self) }
      all += buffer[0..<count]
    }
  }

  static func get(_ path: String, at port: UInt16) throws -> String {
    let socket = try HTTPSocket(port)
    try socket.send("GET \(path) HTTP/1.1\r\nHost: house.example\r\nConnection: close\r\n\r\n")
    return try socket.receiveAll()
  }
}
