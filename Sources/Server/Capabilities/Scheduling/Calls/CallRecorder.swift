// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// The institution's own recorder of calls on our pages, which is told when a call begins and ends: a port. No picture
/// and no voice goes through this server.
package struct CallRecorder: Sendable {
  static let topic = "calls.tellRecorder"

  /// What the recorder is told. The same again has the same id; a call that goes on after its end begins another time.
  package struct Notice: Codable, Sendable, Equatable {
    package enum Event: String, Codable, Sendable { case begun, ended }

    package let event: Event
    /// The appointment, which names the call's room.
    package let call: String
    /// RFC 3339, with milliseconds: recorders order by it what they are told of a call. No two notices of a call have
    /// the same, whichever nodes wrote them.
    package let at: String
    /// Days after which the recorder deletes what it has of the call; nil once the settings name no recorder any more:
    /// what it was told when the call began counts.
    package let keepDays: Int?

    package var id: String { "\(call).\(event.rawValue).\(at)" }

    enum CodingKeys: String, CodingKey {
      case event, call, at
      case keepDays = "keep_days"
    }
  }

  private let keepDays: Int?
  private let tell: @Sendable (Notice) async throws -> Void

  /// - Parameter keepDays: how long the recorder may keep a call; nil where the settings do not say it any more.
  package init(keepDays: Int?, tell: @escaping @Sendable (Notice) async throws -> Void) {
    (self.keepDays, self.tell) = (keepDays, tell)
  }

  /// Owes the recorder a word in the transaction in which a call began or ended.
  static func owe(
    _ event: Notice.Event, of call: Appointment.ID, at time: Instant, _ core: CoreDependencies,
    in tx: any SQLTransaction
  ) throws {
    let (seconds, rest) = time.milliseconds.quotientAndRemainder(dividingBy: 1000)
    let whole = Instant(milliseconds: seconds * 1000).rfc3339.dropLast()
    try core.outbox.enqueue(
      topic, subject: call.rawValue, payload: "\(event.rawValue) \(whole).\(String(1000 + rest).suffix(3))Z", in: tx)
  }

  @Sendable
  func perform(_ item: OutboxItem) async throws {
    let words = item.payload.split(separator: " ").map(String.init)
    guard words.count == 2, let event = Notice.Event(rawValue: words[0]) else { return }
    try await tell(Notice(event: event, call: item.subject, at: words[1], keepDays: keepDays))
  }
}
