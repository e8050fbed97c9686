import Evidence
import Foundation

/// A worker without the server around it, for the tests of the pool. With `--read FILE` it gives up what a worker gives
/// up and leaves with 0 when it can read that file all the same.
@main
struct PageReader {
  static func main() throws {
    guard let flag = CommandLine.arguments.firstIndex(of: "--read") else { return try EvidenceWorker.run() }
    try EvidenceWorker.confine(readable: Array(CommandLine.arguments[(flag + 2)...]))
    exit(FileManager.default.contents(atPath: CommandLine.arguments[flag + 1]) == nil ? 1 : 0)
  }
}
