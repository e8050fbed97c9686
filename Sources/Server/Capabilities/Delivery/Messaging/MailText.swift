// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit

/// A message in the Internet's mail format (RFC 5322, MIME RFC 2045 and RFC 2047) in UTF-8: plain text, or the text and
/// the page that says the same (`multipart/alternative`, RFC 2046 §5.1.4).
struct MailText {
  /// Far more than any text of ours; a longer one is a mistake.
  static let bodyMax = 256 * 1024

  private let fields: [(name: String, value: String)]
  private let body: String
  private let writtenAt: Instant

  /// - Throws: `MessageRefused` when a value would end its header line, or the text is too long.
  init(_ message: Message, from sender: MailSender, to recipient: EmailAddress, at now: Instant, id: String) throws {
    guard message.body.utf8.count <= Self.bodyMax else { throw MessageRefused(.tooLong) }
    guard (message.html?.utf8.count ?? 0) <= Self.bodyMax else { throw MessageRefused(.tooLong) }
    writtenAt = now
    let text = Part("text/plain", message.body)
    let content: [(name: String, value: String)]
    if let html = message.html {
      let boundary = Self.boundary(id)
      content = [("Content-Type", "multipart/alternative; boundary=\"\(boundary)\"")]
      // The last one that a reader knows is the one that is shown.
      body = Self.multipart([text, Part("text/html", html)], boundary)
    } else {
      (content, body) = (text.fields, text.body)
    }
    fields =
      [
        ("Date", Self.date(now)),
        ("From", Self.mailbox(try Self.phrase(sender.name), sender.address)),
        ("To", "<\(recipient.rawValue)>"),
        ("Subject", try Self.unstructured(message.subject ?? "")),
        ("Message-ID", "<\(id)@\(sender.address.domain)>"),
        ("MIME-Version", "1.0"),
      ] + content + [
        ("Content-Language", try Self.unstructured(message.locale)),
        // RFC 3834 §5: no absence note shall answer it.
        ("Auto-Submitted", "auto-generated"),
      ]
  }

  /// A body of one kind, encoded.
  private struct Part {
    let fields: [(name: String, value: String)]
    let body: String

    init(_ type: String, _ text: String) {
      let lines = MailText.crlf(text)
      let isPlain = lines.utf8.allSatisfy { $0 < 0x80 && $0 != 0 } && MailText.longestLine(lines) <= 998
      fields = [
        ("Content-Type", "\(type); charset=utf-8"), ("Content-Transfer-Encoding", isPlain ? "7bit" : "base64"),
      ]
      body = isPlain ? lines : MailText.base64(Data(lines.utf8))
    }
  }

  private static func multipart(_ parts: [Part], _ boundary: String) -> String {
    parts.map { part in
      let head = part.fields.map { "\($0.name): \($0.value)\r\n" }.joined()
      return "--\(boundary)\r\n\(head)\r\n\(part.body)\(part.body.hasSuffix("\r\n") ? "" : "\r\n")"
    }.joined() + "--\(boundary)--\r\n"
  }

  /// Follows from the message's id, so that a repetition has the same bytes. Begins with what base64 cannot have and no
  /// text of ours begins a line with.
  private static func boundary(_ id: String) -> String {
    "=_gatehouse_" + id.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.prefix(40)
  }

  /// - Parameter signer: signs it; nil leaves that to the submission server.
  func data(signedBy signer: DKIMSigner? = nil) throws -> Data {
    let body = Data((body + (body.hasSuffix("\r\n") ? "" : "\r\n")).utf8)
    let signature = try signer.map { [try $0.field(for: fields, body: body, at: writtenAt)] } ?? []
    let head = (signature + fields).map { "\($0.name): \($0.value)\r\n" }.joined()
    return Data((head + "\r\n").utf8) + body
  }

  /// A display name: an atom, a quoted string, or encoded words.
  private static func phrase(_ text: String) throws -> String {
    try requireOneLine(text)
    guard text.utf8.allSatisfy({ $0 < 0x80 }), text.utf8.count <= 60 else { return encodedWords(text) }
    let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return "\"\(escaped)\""
  }

  /// Folded when the line would be longer than 78 characters (RFC 5322 §2.1.1).
  private static func mailbox(_ phrase: String, _ address: EmailAddress) -> String {
    let fits = "From: \(phrase) <\(address.rawValue)>".utf8.count <= 78
    return "\(phrase)\(fits ? "" : "\r\n") <\(address.rawValue)>"
  }

  private static func unstructured(_ text: String) throws -> String {
    try requireOneLine(text)
    // "=?" in plain text would be read as an encoded word, and a long line needs folding, which encoding does.
    let isPlain = text.utf8.allSatisfy { $0 < 0x80 } && text.utf8.count <= 66 && !text.contains("=?")
    return isPlain ? text : encodedWords(text)
  }

  /// A line break or another control character in a value would start a header of the sender's own choice.
  private static func requireOneLine(_ text: String) throws {
    let isBreaking = { (scalar: Unicode.Scalar) in
      scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value) || scalar.value == 0x2028 || scalar.value == 0x2029
    }
    guard !text.unicodeScalars.contains(where: isBreaking) else { throw MessageRefused(.malformed) }
  }

  /// RFC 2047 §2: lines of at most 76 characters, one word on each, and no character cut in two.
  private static func encodedWords(_ text: String) -> String {
    // 76 less `Subject: `, `=?utf-8?B?` and `?=` leaves 55, which base64 fills with 39 bytes.
    let bytesMax = 39
    var words: [String] = []
    var word = Data()
    for scalar in text.unicodeScalars {
      let bytes = Data(String(scalar).utf8)
      if word.count + bytes.count > bytesMax {
        words.append(word.base64EncodedString())
        word = Data()
      }
      word += bytes
    }
    if !word.isEmpty { words.append(word.base64EncodedString()) }
    return words.map { "=?utf-8?B?\($0)?=" }.joined(separator: "\r\n ")
  }

  /// RFC 5322 §3.3, in UTC.
  private static func date(_ now: Instant) -> String {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let parts = calendar.dateComponents([.weekday, .day, .month, .year, .hour, .minute, .second], from: now.date)
    let two = { (number: Int?) in
      let digits = String(number ?? 0)
      return digits.count < 2 ? "0" + digits : digits
    }
    let day = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][((parts.weekday ?? 1) - 1) % 7]
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let month = months[((parts.month ?? 1) - 1) % 12]
    let time = "\(two(parts.hour)):\(two(parts.minute)):\(two(parts.second))"
    return "\(day), \(two(parts.day)) \(month) \(parts.year ?? 1970) \(time) +0000"
  }

  fileprivate static func crlf(_ text: String) -> String {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).joined(separator: "\r\n")
  }

  fileprivate static func longestLine(_ text: String) -> Int {
    text.utf8.split(separator: UInt8(ascii: "\n")).map(\.count).max() ?? 0
  }

  /// RFC 2045 §6.8: lines of 76.
  fileprivate static func base64(_ data: Data) -> String {
    data.base64EncodedString(options: [.lineLength76Characters, .endLineWithCarriageReturn, .endLineWithLineFeed])
  }
}
