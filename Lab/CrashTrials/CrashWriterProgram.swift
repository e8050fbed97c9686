import Foundation

/// The helper program that is killed, which is built beside the tests.
package enum CrashWriterProgram {
  package static let url: URL? = {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? Bundle.main
    let folders = [
      bundle.bundleURL.deletingLastPathComponent(), Bundle.main.bundleURL,
      Bundle.main.executableURL?.deletingLastPathComponent(),
    ]
    return folders.compactMap { $0?.appending(path: "CrashWriter") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }()
}
