// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Testing
import TestSupport

@testable import ObjectStorage

@Suite("Object storage: answers")
struct AnswerParsingTests {
  private static let listing = """
    <?xml version="1.0" encoding="UTF-8"?>
    <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><IsTruncated>true</IsTruncated>
    <Contents><Key>a%2Fb/0195a1b2-01</Key><LastModified>2026-11-21T15:03:58.000Z</LastModified><Size>5</Size></Contents>
    <Contents><Key>a/b/somebody+else%27s.txt</Key><LastModified>then</LastModified><Size>x</Size></Contents>
    <Contents><Key>a/b/0195a1b2-02&amp;</Key><Size>x</Size></Contents>
    <Contents><Key>other/0195a1b2-03</Key><Size>x</Size></Contents>
    <Contents><Key>a/b/0195a1b2-04</Key><LastModified>2026-11-21T15:03:58Z</LastModified><Size>0</Size></Contents>
    <EncodingType>url</EncodingType><NextContinuationToken>1/x=</NextContinuationToken></ListBucketResult>
    """
  private static let uploads = """
    <ListMultipartUploadsResult><IsTruncated>true</IsTruncated><NextKeyMarker>a/b/x y</NextKeyMarker>
    <NextUploadIdMarker>u2</NextUploadIdMarker><Upload><Key>a/b/0195a1b2-01</Key><UploadId>u1</UploadId>
    <Initiated>2026-11-20T00:00:00.000Z</Initiated></Upload><Upload><Key>a/b/README</Key><UploadId>u2</UploadId></Upload>
    </ListMultipartUploadsResult>
    """

  @Test("a list has our keys only, without their prefix, and where it goes on")
  func objects() throws {
    let page = try #require(S3Listing.objects(Data(Self.listing.utf8), below: "a/b/"))
    let time = try #require(Instant(rfc3339: "2026-11-21T15:03:58Z"))
    #expect(
      page.objects == [
        .init(key: "0195a1b2-01", byteCount: 5, modifiedAt: time),
        .init(key: "0195a1b2-04", byteCount: 0, modifiedAt: time),
      ])
    #expect(page.next == .init("1/x="))
    #expect(S3Listing.objects(Data("<Error><Code>SlowDown</Code></Error>".utf8), below: "") == nil)
    #expect(
      S3Listing.objects(
        Data(Self.listing.replacing("<NextContinuationToken>1/x=</NextContinuationToken>", with: "").utf8),
        below: "a/b/") == nil)
    #expect(S3Listing.objects(Data(Self.listing.replacing("<Size>5<", with: "<Size>-5<").utf8), below: "a/b/") == nil)
  }

  @Test("a list of uploads has when they began")
  func unfinished() throws {
    let page = try #require(S3Listing.uploads(Data(Self.uploads.utf8), below: "a/b/"))
    #expect(
      page.uploads == [
        .init(key: "0195a1b2-01", id: "u1", begunAt: try #require(Instant(rfc3339: "2026-11-20T00:00:00Z")))
      ])
    #expect(page.next == .init(key: "a/b/x y", upload: "u2"))
  }

  @Test(
    "what declares entities, another encoding or a document type is no answer",
    arguments: [
      "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>", "<a><![CDATA[b]]></a>", "<a><!-- b --></a>",
      "<?xml version=\"1.0\" encoding=\"UTF-7\"?><a/>", "<?xml version='1.0' encoding='ISO-8859-1'?><a/>", "<a>&b;</a>",
      // Each of these ended the program: Foundation's parser takes no instruction that is a name alone.
      "<?x?><a/>", "<a><?x?></a>", "<a/><?x?>", "<?xml?><a/>", "<?xm?>\n8ListBucket>",
      // Here no character is a question mark, or none is an angle bracket: each is one with a mark beside it.
      "<a/><?\u{200C}?>", "<a>\u{600}<?x?></a>", "\u{FEFF}<?xml version='1.0' encoding='UTF-7'?><a/>",
      "<a><b></a>", "<a/><b/>", "", " ", "{}", "<a>\u{0}</a>",
      String(repeating: "<a>", count: 9) + String(repeating: "</a>", count: 9),
      "<r>" + String(repeating: "<a/>", count: 50_000) + "</r>",
      "<a>" + String(repeating: " ", count: 5_000_000) + "</a>",
    ])
  func refused(text: String) { #expect(S3Element.parse(Data(text.utf8)) == nil) }

  @Test("an element with many attributes is no answer: the parser would compare each with all others")
  func attributes() {
    func element(_ count: Int) -> Data {
      let attributes = (0..<count).map { " a\($0)='1'" }.joined()
      return Data("<r><a\(attributes)/></r>".utf8)
    }
    #expect(S3Element.parse(element(1000)) != nil)
    #expect(S3Element.parse(element(1001)) == nil)
  }

  @Test("bytes that are not UTF-8 are no answer")
  func notText() {
    #expect(S3Element.parse(Data([0x3c, 0x61, 0x3e, 0xff, 0x3c, 0x2f, 0x61, 0x3e])) == nil)
    #expect(S3Element.parse("<a>b</a>".data(using: .utf16) ?? Data()) == nil)
    #expect(S3Element.parse(Data("<?xml version=\"1.0\" encoding=\"utf-8\"?><a> b&lt; </a>".utf8))?.text == "b<")
    #expect(S3Element.parse(Data("\u{FEFF}<?xml version=\"1.0\"?><a>b</a>".utf8))?.text == "b")
  }

  @Test("damaged answers are understood as they stand or refused, and never crash", arguments: 1...4)
  func fuzz(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for round in 0..<400 {
      var bytes = Array((round.isMultiple(of: 2) ? Self.listing : Self.uploads).utf8)
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch generator.next() % 4 {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.removeSubrange(place..<min(place + 9, bytes.count - 1))
        case 2: bytes.insert(contentsOf: bytes[place..<min(place + 30, bytes.count)], at: place)
        default: bytes[place] = [60, 62, 38, 47, 37][Int(generator.next() % 5)]
        }
      }
      let data = Data(bytes)
      for object in S3Listing.objects(data, below: "a/b/")?.objects ?? [] {
        #expect(BlobKey.isValid(object.key) && object.byteCount >= 0)
      }
      for upload in S3Listing.uploads(data, below: "a/b/")?.uploads ?? [] { #expect(BlobKey.isValid(upload.key)) }
      let failure = S3Failure(S3Answer(status: 400, headers: [:], body: data))
      #expect(failure.code.utf8.allSatisfy { $0 < 128 && $0 > 47 } && failure.code.utf8.count <= 64)
    }
  }

  @Test("the Date header is read as it is written, and nothing else is")
  func dates() {
    #expect(HTTPDate.instant("Sun, 06 Nov 1994 08:49:37 GMT")?.rfc3339 == "1994-11-06T08:49:37Z")
    #expect(HTTPDate.instant("Thu, 29 Feb 2024 23:59:59 GMT")?.rfc3339 == "2024-02-29T23:59:59Z")
    for text in [
      "", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "Sun, 06 Nov 1994 08:49:37 UTC",
      "Sun, 06 Nov 1994 24:49:37 GMT", "Thu, 29 Feb 2025 00:00:00 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
      "Sun, 06 Foo 1994 08:49:37 GMT", " Sun, 06 Nov 1994 08:49:37 GMT", "Sun, ٠٦ Nov 1994 08:49:37 GMT",
    ] { #expect(HTTPDate.instant(text) == nil, "\(text)") }
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<2000 {
      var bytes = Array("Sun, 06 Nov 1994 08:49:37 GMT".utf8)
      for _ in 0..<2 { bytes[Int(generator.next() % 29)] = UInt8(truncatingIfNeeded: generator.next()) }
      let text = String(decoding: bytes, as: UTF8.self)
      if let instant = HTTPDate.instant(text) { #expect(instant.rfc3339.hasSuffix(text.dropFirst(17).prefix(8) + "Z")) }
    }
  }
}
