// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// One server-sent event (HTML Living Standard §9.2).
public struct ServerSentEvent: Sendable, Equatable {
  /// The last id that was said up to this event; nil when none was. What a reader that comes back names.
  public var id: String?
  /// What happened; `message` when nothing is said.
  public var kind: String
  /// Its lines, joined.
  public var data: String

  /// Creates it.
  public init(id: String? = nil, kind: String = "message", data: String) {
    self.id = id
    self.kind = kind
    self.data = data
  }
}

/// Reads events out of a body that comes in parts, wherever those are cut (HTML Living Standard §9.2.6).
///
/// 1. Lines end with LF, CR or both; a byte order mark at the beginning is left out.
/// 2. A line that begins with a colon is a comment. Any other is a field, with one blank after its colon left out.
/// 3. `data` adds a line, `event` names the kind, `id` the id unless it holds NULL; other fields mean nothing.
/// 4. A blank line is the end of an event; one without data is ignored. What is unfinished at the end never happened.
public struct ServerSentEventReader: Sendable {
  /// Bytes of an event.
  public static let eventMax = 256 * 1024

  private var line: [UInt8] = []
  private var data: [String] = []
  private var kind = ""
  private var size = 0
  private var endedWithCR = false
  private var hasBegun = false
  /// The last id, also of events without data.
  public private(set) var lastID: String?

  /// - Parameter lastID: of the body before, which this one goes on from.
  public init(lastID: String? = nil) { self.lastID = lastID }

  /// The events that end in this part.
  /// - Throws: `TransportError` answer-too-large for an event beyond the limit.
  public mutating func read(_ part: Data) throws(TransportError) -> [ServerSentEvent] {
    var events: [ServerSentEvent] = []
    for byte in part {
      switch byte {
      case UInt8(ascii: "\n") where endedWithCR: endedWithCR = false
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        endedWithCR = byte == UInt8(ascii: "\r")
        if let event = endLine() { events.append(event) }
      default:
        endedWithCR = false
        line.append(byte)
        size += 1
        guard size <= Self.eventMax else { throw TransportError(.answerTooLarge) }
      }
    }
    return events
  }

  private mutating func endLine() -> ServerSentEvent? {
    var text = String(decoding: line, as: UTF8.self)
    line = []
    if !hasBegun, text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
    hasBegun = true
    if text.isEmpty { return endEvent() }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    var value = parts.count > 1 ? parts[1] : ""
    if value.first == " " { value.removeFirst() }
    switch parts[0] {
    case "data": data.append(String(value))
    case "event": kind = String(value)
    case "id" where !value.unicodeScalars.contains("\0"): lastID = String(value)
    default: break
    }
    if data.isEmpty, kind.isEmpty { size = 0 }
    return nil
  }

  private mutating func endEvent() -> ServerSentEvent? {
    defer { (data, kind, size) = ([], "", 0) }
    guard !data.isEmpty else { return nil }
    return ServerSentEvent(
      id: lastID, kind: kind.isEmpty ? "message" : kind, data: data.joined(separator: "\n"))
  }
}
