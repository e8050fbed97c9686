// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire

/// Where a message stands: in memory, or in a file that is open and is read from its beginning each time, so that no
/// more of it than a chunk is in memory.
package enum MessageFile: Sendable {
  case bytes(Data)
  case open(FileHandle)

  /// A file that was opened; in memory what cannot be read twice, such as a pipe.
  package init(_ file: FileHandle) throws(MessageFault) {
    if (try? file.seekToEnd()) != nil {
      self = .open(file)
    } else {
      do { self = .bytes(try file.read(upToCount: MessageReader.bytesMax + 1) ?? Data()) } catch {
        throw MessageFault.unreadable
      }
    }
  }

  /// Bytes from a place on, at most so many; empty at the end.
  func read(at place: Int, upTo count: Int) throws -> Data {
    switch self {
    case .bytes(let bytes):
      let start = bytes.startIndex + min(place, bytes.count)
      return bytes[start..<min(start + count, bytes.endIndex)]
    case .open(let file):
      try file.seek(toOffset: UInt64(place))
      return try file.read(upToCount: count) ?? Data()
    }
  }
}

/// The bytes of a message on their way to the parser. Each chunk is checked before the parser has it (decision 78): it
/// has to be UTF-8 throughout, without long rows of combining marks (decision 176), in a document that declares no
/// other encoding and no document type.
final class MessageStream: InputStream {
  private static let mark = Data([0xEF, 0xBB, 0xBF])
  private static let documentType = Data("<!DOCTYPE".utf8)
  private static let instruction = Data("<?".utf8)
  private static let attributesMax = 1000

  private let file: MessageFile
  private let bytesMax: Int
  private var seen: ((Data) -> Void)?
  private var isEnded = false
  private var place = 0
  /// The end of the chunk before: so much that a character, or the declaration of a document type, may go on.
  private var rest = Data()
  /// How many bytes of `rest` begin a character.
  private var openBytes = 0
  private(set) var fault: MessageFault?
  /// Equals signs since the last `<`: no fewer than attributes of a tag, whose values have no `<`.
  private var signs = 0

  /// - Parameter seen: gets every byte of the file, in chunks, when its turn has come.
  init(_ file: MessageFile, bytesMax: Int, seen: @escaping (Data) -> Void) {
    (self.file, self.bytesMax, self.seen) = (file, bytesMax, seen)
    super.init(data: Data())
  }

  /// Ends the stream, and releases the reader's closure.
  func end() { (isEnded, seen) = (true, nil) }

  override func open() {}
  override func close() {}
  override var hasBytesAvailable: Bool { fault == nil }
  /// The parser asks for it after each read. Foundation's own makes an error of `errno`, and ends the program when
  /// `errno` has no error.
  override var streamError: (any Error)? { fault }

  override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength count: Int) -> Int {
    guard fault == nil else { return -1 }
    guard !isEnded else { return 0 }
    do throws(MessageFault) {
      let chunk = try next(count)
      chunk.copyBytes(to: buffer, count: chunk.count)
      return chunk.count
    } catch {
      fault = error
      return -1
    }
  }

  private func next(_ count: Int) throws(MessageFault) -> Data {
    let isFirst = place == 0
    var chunk: Data
    do { chunk = try file.read(at: place, upTo: count) } catch { throw MessageFault.unreadable }
    place += chunk.count
    guard place <= bytesMax else { throw MessageFault("the file has more than \(bytesMax >> 20) MiB") }
    seen?(chunk)
    guard !chunk.isEmpty else {
      guard openBytes == 0 else { throw MessageFault("the file is not UTF-8") }
      return chunk
    }
    if isFirst, chunk.starts(with: Self.mark) {
      chunk = chunk.dropFirst(Self.mark.count)
      // An empty chunk would be the end.
      if chunk.isEmpty { return try next(count) }
    }
    try check(chunk, isFirst: isFirst)
    if isFirst { try Self.checkDeclaration(chunk) }
    return chunk
  }

  private func check(_ chunk: Data, isFirst: Bool) throws(MessageFault) {
    let bytes = rest + chunk
    let ended = bytes.endIndex - Self.openBytes(of: bytes)
    let text = bytes[(rest.endIndex - openBytes)..<ended]
    guard String(validating: text, as: UTF8.self) != nil, !chunk.contains(0) else {
      throw MessageFault("the file is not UTF-8")
    }
    // The parser puts names into dictionaries before its delegate sees them. A row may go on in the next chunk, and
    // have as many marks there.
    guard StreamSafeText.isSafe(utf8: text) else {
      throw MessageFault("the file has too many combining marks in a row")
    }
    guard bytes.range(of: Self.documentType) == nil else {
      throw MessageFault("the file declares a document type, which messages do not have")
    }
    // Foundation's parser ends the program on an instruction that is a name alone, such as `<?x?>`.
    let body = isFirst && Self.isDeclared(chunk) ? bytes.dropFirst(Self.instruction.count) : bytes
    guard body.range(of: Self.instruction) == nil else {
      throw MessageFault("the file has a processing instruction, which messages do not have")
    }
    guard !hasManyAttributes(chunk) else { throw MessageFault("an element has more than 1,000 attributes") }
    openBytes = bytes.endIndex - ended
    rest = Data(bytes.suffix(Self.documentType.count - 1))
  }

  /// The parser compares each attribute of an element with all others of it: those of one element in 8 MiB would take
  /// minutes of a processor.
  private func hasManyAttributes(_ chunk: Data) -> Bool {
    chunk.withUnsafeBytes { bytes in
      for byte in bytes {
        if byte == UInt8(ascii: "<") { signs = 0 } else if byte == UInt8(ascii: "=") { signs += 1 }
        if signs > Self.attributesMax { return true }
      }
      return false
    }
  }

  /// How many bytes at the end begin a character that goes on in the next chunk.
  private static func openBytes(of bytes: Data) -> Int {
    for (back, byte) in bytes.suffix(3).reversed().enumerated() where byte >= 0xC0 {
      let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
      return back + 1 < length ? back + 1 : 0
    }
    return 0
  }

  /// Whether it begins with an XML declaration, of which a white space is a part (XML 1.0 §2.8).
  private static func isDeclared(_ chunk: Data) -> Bool {
    let name = Data("<?xml".utf8)
    guard chunk.starts(with: name), let next = chunk.dropFirst(name.count).first else { return false }
    return [0x20, 0x09, 0x0A, 0x0D].contains(next)
  }

  private static func checkDeclaration(_ chunk: Data) throws(MessageFault) {
    guard chunk.starts(with: Data("<?xml".utf8)) else { return }
    guard let end = chunk.range(of: Data("?>".utf8)) else { throw MessageFault(line: 1, "the file is not whole XML") }
    let declaration = String(decoding: chunk[..<end.lowerBound], as: UTF8.self).lowercased()
    guard !declaration.contains("encoding") || declaration.contains(/encoding\s*=\s*["']utf-8["']/) else {
      throw MessageFault(line: 1, "the file declares another encoding than UTF-8")
    }
  }
}
