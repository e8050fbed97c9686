// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Kit

@Suite("Zip: an archive of a stranger is read within limits", .storeless)
struct ZipArchiveTests {
  private static let limits = ZipLimits(entriesMax: 8, entryBytesMax: 50_000, totalBytesMax: 60_000)

  @Test("folders are passed over; stored and deflated entries are found by their whole names")
  func folder() throws {
    let archive = try ZipArchive(Self.folderArchive, limits: Self.limits)
    #expect(Set(archive.files.keys) == ["3f1e/passport_front.jpg", "3f1e/idcard_back.jpg"])
    #expect(archive.files["3f1e/passport_front.jpg"] == Data(String(repeating: "front ", count: 40).utf8))
    #expect(archive.files["3f1e/idcard_back.jpg"] == Data("back".utf8))
  }

  @Test("an archive that was written as a stream is read: its sizes stand behind the entries")
  func streamed() throws {
    #expect(try ZipArchive(Self.streamedArchive, limits: Self.limits).files == ["a.jpg": Data("streamed".utf8)])
  }

  @Test("a comment may follow, and an empty archive has no files")
  func edges() throws {
    var zip = Self.zip(["a"])
    zip.comment = Data("PK said so".utf8)
    #expect(try ZipArchive(zip.data, limits: Self.limits).files.count == 1)
    #expect(try ZipArchive(ZipFixture().data, limits: Self.limits).files.isEmpty)
  }

  @Test("an entry that unpacks to more than allowed, or than it says, is not unpacked")
  func bombs() {
    #expect(Self.problem(Self.bomb) == .tooLarge)
    // The same with a promise of ten bytes.
    var lie = Self.bomb
    for place in [lie.count - 22 - 47 + 24, 22] {
      lie.replaceSubrange(place..<(place + 4), with: [10, 0, 0, 0])
    }
    #expect(Self.problem(lie) == .damaged)
    let many = Self.zip((0..<9).map { "f\($0)" })
    #expect(Self.problem(many.data) == .tooManyEntries)
    let heavy = Data(repeating: 7, count: 40_000)
    #expect(Self.problem(ZipFixture([("a", heavy), ("b", heavy)]).data) == .tooLarge)
  }

  @Test("entries that share bytes are refused: many small ones would unpack to one large one each")
  func overlap() {
    var zip = Self.zip(["a", "a"])
    zip.entries[1].name = Data("a".utf8)
    zip.entries[1].offset = 0
    #expect(Self.problem(zip.data) == .duplicateName)
    zip = Self.zip(["a", "b"])
    zip.entries[1].offset = 0
    #expect(Self.problem(zip.data) == .damaged)
  }

  @Test(
    "names that lead elsewhere are refused",
    arguments: [
      "../a", "a/../../b", "/etc/passwd", "C:/a", "a\\b", "a//b", "./a", "a/.", "", "/", "a\u{0}b", "a\nb",
      "/\u{301}a", "a/../\u{301}b", "../\u{301}a", "a\\\u{301}b", "C:\u{301}a",
    ])
  func traversal(name: String) {
    #expect(Self.problem(Self.zip([name]).data) == .unsafeName)
  }

  @Test("a name that is not UTF-8, or comes twice, or differs from the entry's own, is refused")
  func names() {
    var zip = Self.zip(["ab"])
    zip.entries[0].name = Data([0xc3, 0x28])
    #expect(Self.problem(zip.data) == .unsafeName)
    #expect(Self.problem(Self.zip(["a", "a"]).data) == .duplicateName)
    zip = Self.zip(["ab"])
    zip.entries[0].localName = Data("cd".utf8)
    #expect(Self.problem(zip.data) == .damaged)
  }

  @Test("encrypted entries, other methods and ZIP64 are refused")
  func unsupported() {
    for flag in [UInt16(1), 0x40, 0x2000] {
      var zip = Self.zip(["a"])
      zip.entries[0].flags |= flag
      #expect(Self.problem(zip.data) == .encrypted)
    }
    #expect(Self.problem(Self.bzip2) == .unsupported)
    var zip = Self.zip(["a"])
    zip.entries[0].size = .max
    #expect(Self.problem(zip.data) == .unsupported)
    zip = Self.zip(["a"])
    zip.count = .max
    #expect(Self.problem(zip.data) == .unsupported)
  }

  @Test("what is no archive, or stops short, or does not add up, is refused")
  func damaged() {
    #expect(Self.problem(Data()) == .notAnArchive)
    #expect(Self.problem(Data("PK".utf8)) == .notAnArchive)
    #expect(Self.problem(Self.folderArchive + Data([0])) == .notAnArchive)
    var zip = Self.zip(["a"])
    zip.entries[0].crc ^= 1
    #expect(Self.problem(zip.data) == .damaged)
    zip = Self.zip(["a"])
    zip.count = 2
    #expect(Self.problem(zip.data) == .damaged)
    #expect(Self.problem(Data([0]) + Self.folderArchive) == .damaged)
  }

  @Test("an archive with any bytes changed gives files within the limits or a problem, and never more")
  func fuzz() {
    var randomness = SeededGenerator(seed: 20)
    for archive in [Self.folderArchive, Self.streamedArchive, Self.bomb, Self.zip(["a", "b/c"]).data] {
      for _ in 0..<1500 {
        var bytes = archive
        for _ in 0...Int(randomness.next() % 4) {
          bytes[Int(randomness.next() % UInt64(bytes.count))] = UInt8(randomness.next() & 255)
        }
        if randomness.next() % 5 == 0 { bytes = bytes.prefix(Int(randomness.next() % UInt64(bytes.count))) }
        guard let read = try? ZipArchive(bytes, limits: Self.limits) else { continue }
        #expect(read.files.count <= 8 && read.files.values.allSatisfy { $0.count <= 50_000 })
      }
    }
  }

  @Test("the check sum is the one that everybody computes")
  func crc() {
    #expect(CRC32.of(Data("123456789".utf8)) == 0xcbf4_3926)
    #expect(CRC32.of(Data()) == 0)
  }

  private static func problem(_ bytes: Data) -> ZipProblem? {
    do throws(ZipProblem) {
      _ = try ZipArchive(bytes, limits: limits)
      return nil
    } catch { return error }
  }

  private static func zip(_ names: [String]) -> ZipFixture {
    ZipFixture(names.map { ($0, Data("text".utf8)) })
  }

  private static func data(_ base64: String) -> Data { Data(base64Encoded: base64) ?? Data() }

  // Written by Python's zipfile.
  private static let folderArchive = data(
    """
    UEsDBBQAAAAAAAAAIQAAAAAAAAAAAAAAAAAFAAAAM2YxZS9QSwMEFAAAAAgAAAAhAH4dR7cLAAAA8AAAABcAAAAzZj\
    FlL3Bhc3Nwb3J0X2Zyb250LmpwZ0srys8rUUgbMSQAUEsDBBQAAAAAAAAAIQA3wc5tBAAAAAQAAAAUAAAAM2YxZS9p\
    ZGNhcmRfYmFjay5qcGdiYWNrUEsBAhQDFAAAAAAAAAAhAAAAAAAAAAAAAAAAAAUAAAAAAAAAAAAAAO1BAAAAADNmMW\
    UvUEsBAhQDFAAAAAgAAAAhAH4dR7cLAAAA8AAAABcAAAAAAAAAAAAAAIABIwAAADNmMWUvcGFzc3BvcnRfZnJvbnQu\
    anBnUEsBAhQDFAAAAAAAAAAhADfBzm0EAAAABAAAABQAAAAAAAAAAAAAAIABYwAAADNmMWUvaWRjYXJkX2JhY2suan\
    BnUEsFBgAAAAADAAMAugAAAJkAAAAAAA==
    """)
  private static let streamedArchive = data(
    """
    UEsDBBQACAAIAAAAIQAAAAAAAAAAAAAAAAAFAAAAYS5qcGcrLilKTcxNTQEAUEsHCGMbItkKAAAACAAAAFBLAQIUAx\
    QACAAIAAAAIQBjGyLZCgAAAAgAAAAFAAAAAAAAAAAAAACAAQAAAABhLmpwZ1BLBQYAAAAAAQABADMAAAA9AAAAAAA=
    """)
  /// 100,000 zeros.
  private static let bomb = data(
    """
    UEsDBBQAAAAIAAAAIQB9lRHUcgAAAKCGAQABAAAAYu3BMQEAAADCoPVPbQ0PoAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
    AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
    AAAAAAAAAIBXA1BLAQIUAxQAAAAIAAAAIQB9lRHUcgAAAKCGAQABAAAAAAAAAAAAAACAAQAAAABiUEsFBgAAAAABAA\
    EALwAAAJEAAAAAAA==
    """)
  private static let bzip2 = data(
    """
    UEsDBC4AAAAMAAAAIQADimKsJwAAADIAAAABAAAAYkJaaDkxQVkmU1mQAkWiAAACEIAAQBAAIAAhAIILF3JFOFCQkA\
    JFolBLAQIuAy4AAAAMAAAAIQADimKsJwAAADIAAAABAAAAAAAAAAAAAACAAQAAAABiUEsFBgAAAAABAAEALwAAAEYA\
    AAAAAA==
    """)
}
