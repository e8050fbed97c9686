import Foundation
import Kit

/// A message in the Internet's mail format (RFC 5322, MIME RFC 2045 and RFC 2047): one plain text part in UTF-8.
struct MailText {
  /// Far more than any text of ours; a longer one is a mistake.
  static let bodyMax = 256 * 1024

  private let fields: [(name: String, value: String)]
  private let body: String

  /// - Throws: `MessageRefused` when a value would end its header line, or the text is too long.
  init(_ message: Message, from sender: MailSender, to recipient: EmailAddress, at now: Instant, id: String) throws {
    guard message.body.utf8.count <= Self.bodyMax else { throw MessageRefused(.tooLong) }
    let lines = Self.crlf(message.body)
    let isPlain = lines.utf8.allSatisfy { $0 < 0x80 && $0 != 0 } && Self.longestLine(lines) <= 998
    fields = [
      ("Date", Self.date(now)),
      ("From", Self.mailbox(try Self.phrase(sender.name), sender.address)),
      ("To", "<\(recipient.rawValue)>"),
      ("Subject", try Self.unstructured(message.subject ?? "")),
      ("Message-ID", "<\(id)@\(sender.address.domain)>"),
      ("MIME-Version", "1.0"),
      ("Content-Type", "text/plain; charset=utf-8"),
      ("Content-Transfer-Encoding", isPlain ? "7bit" : "base64"),
      ("Content-Language", try Self.unstructured(message.locale)),
      // RFC 3834 §5: nobody's absence note shall answer it.
      ("Auto-Submitted", "auto-generated"),
    ]
    body = isPlain ? lines : Self.base64(Data(lines.utf8))
  }

  func data() -> Data {
    let head = fields.map { "\($0.name): \($0.value)\r\n" }.joined()
    return Data((head + "\r\n" + body + (body.hasSuffix("\r\n") ? "" : "\r\n")).utf8)
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

  private static func crlf(_ text: String) -> String {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).joined(separator: "\r\n")
  }

  private static func longestLine(_ text: String) -> Int {
    text.utf8.split(separator: UInt8(ascii: "\n")).map(\.count).max() ?? 0
  }

  /// RFC 2045 §6.8: lines of 76.
  private static func base64(_ data: Data) -> String {
    data.base64EncodedString(options: [.lineLength76Characters, .endLineWithCarriageReturn, .endLineWithLineFeed])
  }
}
