extension Substring {
  /// Without the optional whitespace around the value of a field: spaces and tabs (RFC 9110 §5.6.3). Foundation's own way
  /// takes a text to UTF-16 and back, of which every request would notice.
  package var withoutOptionalWhitespace: String {
    func isText(_ byte: UInt8) -> Bool { byte != 0x20 && byte != 0x09 }
    guard let first = utf8.firstIndex(where: isText), let last = utf8.lastIndex(where: isText) else { return "" }
    // Neither is ever a part of another character.
    return String(self[first..<utf8.index(after: last)])
  }
}
