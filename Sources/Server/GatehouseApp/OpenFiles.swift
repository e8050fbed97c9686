// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Files and sockets that this process may have open.
enum OpenFiles {
  /// For the store, blobs, lists, models and calls to others.
  private static let ownMax = 256

  /// Raises the limit to what the system allows: by default it is often 1024.
  /// - Returns: how many connections of clients fit.
  static func roomForConnections() -> Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return ownMax }
    limit.rlim_cur = limit.rlim_max
    _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return ownMax }
    return max(64, Int(clamping: limit.rlim_cur) - ownMax)
  }
}
