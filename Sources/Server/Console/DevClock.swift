// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import HTTPTypes
import Hummingbird
import Kit

/// The clock of a sandbox, for developers.
package struct DevClock: Sendable {
  package struct Reading: Sendable, Encodable {
    /// RFC 3339. What the sandbox goes by.
    package let now: String
    /// RFC 3339. What signatures, codes of authenticator apps and sessions go by.
    package let machine: String
    /// By how much the sandbox is ahead of the machine.
    package let aheadSeconds: Int

    package init(_ world: World) {
      let (now, machine) = (world.now(), world.wall())
      (self.now, self.machine) = (now.rfc3339, machine.rfc3339)
      aheadSeconds = (now - machine).wholeSeconds
    }

    enum CodingKeys: String, CodingKey {
      case now, machine
      case aheadSeconds = "ahead_seconds"
    }
  }

  /// What happened on the way.
  package struct Journey: Sendable, Encodable {
    package let clock: Reading
    /// How often all jobs were run: once a day that went by.
    package let steps: Int
    /// Owed effects that were begun, as messages.
    package let effects: Int
    /// Jobs of which a run failed, ascending.
    package let failed: [String]

    package init(clock: Reading, steps: Int, effects: Int, failed: [String]) {
      (self.clock, self.steps, self.effects, self.failed) = (clock, steps, effects, failed)
    }
  }

  let read: @Sendable () -> Reading
  let advance: @Sendable (Duration) async throws -> Journey

  /// - Parameter advance: throws `Problem` conflict while another process moves the clock.
  package init(
    read: @escaping @Sendable () -> Reading, advance: @escaping @Sendable (Duration) async throws -> Journey
  ) {
    (self.read, self.advance) = (read, advance)
  }
}

/// `/dev/clock`
struct DevClockRoutes: Sendable {
  /// What one call goes forward at most: its client waits for the answer.
  static let spanMax = Duration.days(100)
  private static let bodyMax = 256

  let clock: DevClock

  func add(to group: RouterGroup<PublicContext>) {
    group.get("dev/clock", use: read)
    group.post("dev/clock", use: advance)
  }

  @Sendable
  private func read(_ request: Request, _ context: PublicContext) async throws -> Response {
    try LocalClient.require(request, context)
    return try Response.json(clock.read())
  }

  @Sendable
  private func advance(_ request: Request, _ context: PublicContext) async throws -> Response {
    try LocalClient.require(request, context)
    let content = try await RequestContent(request, limit: Self.bodyMax)
    // Named, always: a page from elsewhere can post what has no type, and is asked first about this one.
    guard content.mediaType == "application/json" else { throw Problem.unsupportedMedia }
    let asked = try content.decode(as: Advance.self)
    guard let span = Duration(spelled: asked.advance, atMost: Self.spanMax) else {
      throw Problem.validation([.init("/advance", "format", "A span of time like 36h or 91d, of 100 days at most.")])
    }
    return try Response.json(try await clock.advance(span))
  }

  private struct Advance: Decodable {
    let advance: String
  }
}
