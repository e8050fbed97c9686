// SPDX-License-Identifier: Apache-2.0

import HTTP
import Kit
import Logging
import Storage
import Synchronization
import TestSupport
import Testing

@Suite("Telemetry: errors of the store in the log (issue 24)")
struct StoreErrorLogTests {
  private static let migration = Migration(
    "2026-11-24 log test",
    "CREATE TABLE person (email TEXT PRIMARY KEY, age BIGINT NOT NULL, CONSTRAINT person_adult CHECK (age > 17));")

  @Test("the log says what the store refused, and holds no value of the row", arguments: Engine.available)
  func refused(engine: Engine) async throws {
    let made = try await TestDatabase.make(engine, [Self.migration])
    let database = made.database
    func insert(_ email: String, _ age: Int) async throws {
      try await database.write { tx in
        _ = try tx.execute("INSERT INTO person (email, age) VALUES (\(email), \(age))")
      }
    }
    try await insert("aya@bank.example", 30)
    let lines = await Self.lines { logger in
      for (email, age) in [("aya@bank.example", 31), ("Anna", 17)] {
        do { try await insert(email, age) } catch { _ = ProblemMiddleware.problem(error, logger: logger) }
      }
      do { _ = try await database.read { try $0.query("SELECT missing FROM person") } } catch {
        logger.error("scheduled job failed", metadata: ["job": "ended-days"].merging(.error(error)) { $1 })
      }
    }
    withExtendedLifetime(made) {}
    #expect(lines.count == 3)
    #expect(lines[0].contains("error=SQLError.notUnique") && lines[0].contains("person"))
    #expect(lines[1].contains("error=SQLError.constraint") && lines[1].contains("person_adult"))
    #expect(lines[2].contains("error=SQLError.engine") && lines[2].contains("missing"))
    #expect(lines[2].contains("job=ended-days"))
    for line in lines {
      #expect(!line.contains("withheld") && !line.contains("aya") && !line.contains("Anna"), "\(line)")
    }
  }

  @Test("whatever an error's text quotes, the log keeps its type alone", .storeless)
  func quoting() async throws {
    struct Quoting<Value: Sendable>: Error, CustomStringConvertible { let description = "aya@bank.example" }
    let lines = await Self.lines { logger in
      logger.error("failed", metadata: .error(Quoting<[String: Int]>()))
      // A word that only looks like a reason is scrubbed as any other.
      logger.error("failed", metadata: ["store.reason": "aya@bank.example"])
      logger.error("failed", metadata: ["store.reason": "+965-5000-1234"])
    }
    #expect(lines[0].contains("error=Quoting") && !lines[0].contains("withheld"))
    for line in lines { #expect(!line.contains("aya") && !line.contains("5000")) }
  }

  @Test("an error whose cases are words of ours has its case in the log", .storeless)
  func named() async throws {
    let lines = await Self.lines { logger in
      for error in [BlobError.refused(code: "AccessDenied"), .unavailable, .tooLarge(bytesMax: 9)] {
        logger.error("failed", metadata: .error(error))
      }
      _ = ProblemMiddleware.problem(BlobError.refused(code: "SignatureDoesNotMatch"), logger: logger)
    }
    #expect(lines.count == 4 && lines[3].contains("error=BlobError.refused.SignatureDoesNotMatch"))
    #expect(lines[0].contains("error=BlobError.refused.AccessDenied"))
    #expect(lines[1].contains("error=BlobError.unavailable") && lines[2].contains("error=BlobError.tooLarge"))
  }

  private static func lines(_ log: (Logger) async throws -> Void) async rethrows -> [String] {
    let lines = Mutex<[String]>([])
    let handler = GatehouseLogHandler(label: "test", world: TestWorld().world) { line in
      lines.withLock { $0.append(line.text(.text)) }
    }
    try await log(Logger(label: "test") { _ in handler })
    return lines.withLock { $0 }
  }
}
