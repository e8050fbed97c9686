import Foundation
import Storage

/// Writes rows for as long as it lives and says each number on standard output once its commit was acknowledged.
///
/// The durability test kills it in the middle and looks for every number that was said.
@main
enum CrashWriter {
  static func main() async throws {
    guard CommandLine.arguments.count == 2 else { throw Usage() }
    let database = try SQLite(path: CommandLine.arguments[1])
    try await database.migrate([Migration("2026-01-01 number", "CREATE TABLE number (n BIGINT PRIMARY KEY)")])
    // A pipe that nobody reads any more ends the process, so no bound but this one is needed.
    for number in 1...1_000_000 {
      try await database.write { _ = try $0.execute("INSERT INTO number (n) VALUES (\(number))") }
      FileHandle.standardOutput.write(Data("\(number)\n".utf8))
    }
  }

  struct Usage: Error {}
}
