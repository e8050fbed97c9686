// SPDX-License-Identifier: Apache-2.0

import GatehouseApp
import Glibc

/// A port of this machine that no process is given as long as the value is there, and that a server may listen on all the
/// same: it is bound and does not listen, and both sides share the address (`SO_REUSEADDR`, socket(7)).
package final class ReservedPort: Sendable {
  package let number: Int
  private let descriptor: Int32

  /// - Throws: `DemoApp.NotStarted`.
  package init() throws {
    let handle = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard handle >= 0 else { throw DemoApp.NotStarted() }
    var yes: Int32 = 1
    setsockopt(handle, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(handle, $0, length) == 0 && getsockname(handle, $0, &length) == 0
      }
    }
    guard isBound else {
      close(handle)
      throw DemoApp.NotStarted()
    }
    descriptor = handle
    number = Int(UInt16(bigEndian: address.sin_port))
  }

  /// The value lives at least until here.
  func release() {}

  deinit { close(descriptor) }
}
