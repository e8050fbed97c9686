// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The helper program that is killed.
package enum CrashWriterProgram {
  package static let url = HelperProgram.url("CrashWriter")
}

/// Programs that are built beside the tests.
package enum HelperProgram {
  /// - Returns: nil when it was not built.
  package static func url(_ name: String) -> URL? {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? Bundle.main
    let folders = [
      bundle.bundleURL.deletingLastPathComponent(), Bundle.main.bundleURL,
      Bundle.main.executableURL?.deletingLastPathComponent(),
    ]
    return folders.compactMap { $0?.appending(path: name) }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }
}
