// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// A port of this machine that is taken for as long as the value is there.
final class ListeningPort {
  struct Taken: Error {}

  let number: UInt16
  private let descriptor: Int32

  /// - Parameter wanted: 0 is any.
  /// - Throws: `Taken` when another process has it.
  init(_ wanted: UInt16 = 0) throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = wanted.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isOpen = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && listen(descriptor, 1) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isOpen else {
      close(descriptor)
      throw Taken()
    }
    self.descriptor = descriptor
    number = UInt16(bigEndian: address.sin_port)
  }

  deinit { close(descriptor) }
}
