public import Foundation

/// What is asked of the bytes of a JSON text before they are read, because Foundation's readers take more than the
/// readers before and behind them do, and not all the same: UTF-16 and UTF-32 (RFC 8259 §8.1), two members of one name
/// (RFC 8259 §4, RFC 7493 §2.3), nesting of hundreds of levels. Whether the text is JSON otherwise the reader decides.
public enum JSONText {
  /// How many objects and arrays may be open at once. No form of the five systems needs more.
  public static let depthMax = 32

  /// Why a text is not read. None of these quotes it.
  public enum Fault: Error, Equatable, Sendable {
    /// Not UTF-8.
    case encoding
    /// More than `depthMax` objects and arrays in one another.
    case depth
    /// An object has two members of one name.
    case repeatedName
  }

  /// - Throws: the first fault of the text.
  public static func check(_ text: Data) throws(Fault) {
    // A JSON text begins with ASCII: in UTF-16 and UTF-32 one of the first four bytes is zero, and in UTF-8 none is.
    guard !text.prefix(4).contains(0) else { throw .encoding }
    if let fault = text.withUnsafeBytes({ JSONTextScan(bytes: $0).fault() }) { throw fault }
  }
}

/// One pass over a text that looks at brackets and names only.
private struct JSONTextScan {
  let bytes: UnsafeRawBufferPointer

  func fault() -> JSONText.Fault? {
    // The names of each open object, nil for an open array.
    var open: [Set<String>?] = []
    var place = 0
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        guard open.count < JSONText.depthMax else { return .depth }
        open.append(bytes[place] == UInt8(ascii: "{") ? [] : nil)
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        _ = open.popLast()
      case UInt8(ascii: "\""):
        // A text that ends within a string is no JSON.
        guard let end = closingQuote(of: place) else { return nil }
        if !open.isEmpty, isName(endingAt: end) {
          guard let name = name(place...end) else { return nil }
          // Swift's equality, so that these are the names that would be one key for the reader.
          if open[open.count - 1]?.insert(name).inserted == false { return .repeatedName }
        }
        place = end
      default: break
      }
      place += 1
    }
    return nil
  }

  /// Texts of a picture are long: the search is the C library's.
  private func closingQuote(of opening: Int) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    var from = opening + 1
    while from < bytes.count, let found = memchr(base + from, CInt(UInt8(ascii: "\"")), bytes.count - from) {
      let quote = UnsafeRawPointer(found) - base
      // An odd number of backslashes before a quote escapes it.
      var first = quote
      while first > opening + 1, bytes[first - 1] == UInt8(ascii: "\\") { first -= 1 }
      if (quote - first).isMultiple(of: 2) { return quote }
      from = quote + 1
    }
    return nil
  }

  /// Whether a string is followed by a colon.
  private func isName(endingAt end: Int) -> Bool {
    var next = end + 1
    while next < bytes.count, [0x20, 0x09, 0x0a, 0x0d].contains(bytes[next]) { next += 1 }
    return next < bytes.count && bytes[next] == UInt8(ascii: ":")
  }

  /// A name as the reader understands it; nil when it is no string of JSON.
  private func name(_ range: ClosedRange<Int>) -> String? {
    let quoted = bytes[range]
    guard quoted.contains(UInt8(ascii: "\\")) else {
      return String(decoding: quoted.dropFirst().dropLast(), as: UTF8.self)
    }
    return try? JSONDecoder().decode(String.self, from: Data(quoted))
  }
}
