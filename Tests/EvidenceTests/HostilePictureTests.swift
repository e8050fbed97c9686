// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Evidence

@Suite("Evidence: pictures that are more than a picture")
struct HostilePictureTests {
  private static func picture() throws -> Data { try Pictures.jpeg(Pictures.gradient(700, 660)) }

  /// A JPEG with this segment after its beginning.
  private static func jpeg(_ marker: UInt8, _ content: [UInt8]) throws -> Data {
    let length = UInt16(content.count + 2)
    let segment = [0xFF, marker, UInt8(length >> 8), UInt8(length & 255)] + content
    var file = try picture()
    file.insert(contentsOf: segment, at: file.startIndex + 2)
    return file
  }

  /// An EXIF segment: a directory at this offset that says it has so many entries and goes on at `next`.
  private static func exif(offset: UInt8, entries: UInt16, next: UInt8) -> [UInt8] {
    // Orientation, SHORT, one value: 6.
    let entry: [UInt8] = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0]
    return Array("Exif\0\0MM".utf8) + [0, 42, 0, 0, 0, offset, UInt8(entries >> 8), UInt8(entries & 255)] + entry
      + [0, 0, 0, next]
  }

  @Test(
    "directories of EXIF that point at themselves, at one another or nowhere end, and the picture is taken",
    arguments: [(8, 1, 8, 6), (8, 1, 0, 6), (0, 1, 8, 1), (8, 65_535, 8, 6), (255, 1, 8, 1), (4, 2, 4, 1)]
      as [(UInt8, UInt16, UInt8, Int)])
  func exifLoops(offset: UInt8, entries: UInt16, next: UInt8, orientation: Int) throws {
    let file = try Self.jpeg(0xE1, Self.exif(offset: offset, entries: entries, next: next))
    let header = try #require(ImageHeader(file, format: .jpeg))
    #expect(header.orientation == orientation)
    let image = try EvidenceImage(taking: file)
    #expect((image.width == 660) == (orientation == 6))
    #expect(image.bytes.range(of: Data("Exif".utf8)) == nil)
  }

  @Test(
    "what else a file is does not outlive its intake",
    arguments: ["PK\u{3}\u{4} an archive", "<html><script>alert(1)</script>", "%PDF-1.7 a paper", "GIF89a"])
  func polyglots(other: String) throws {
    let hidden = Data(other.utf8)
    // In front of the picture it is no picture; behind it, or in a comment, nothing is left of it.
    #expect(throws: ImageProblem.unsupportedMedia) { try EvidenceImage(taking: hidden + Self.picture()) }
    for file in [try Self.picture() + hidden, try Self.jpeg(0xFE, Array(hidden))] {
      do {
        let image = try EvidenceImage(taking: file)
        #expect(image.bytes.range(of: hidden) == nil)
        #expect(ImageFormat(sniffing: image.bytes) == .jpeg)
      } catch { #expect(error is ImageProblem) }
    }
  }
}
