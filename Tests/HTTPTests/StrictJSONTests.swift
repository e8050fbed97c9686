// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import Kit
import TestSupport
import Testing

@Suite("HTTP: JSON that says nothing unknown", .storeless)
struct StrictJSONTests {
  @Test("a body of the known shape is read")
  func read() throws {
    let form = try decode(
      #"{"name":"Zoë \u20ac","age":41,"ratio":0.5,"agreed":true,"home":{"city":"Brno"},"tags":["a","b"],"extra":{"k":1}}"#
    )
    #expect(form.name == "Zoë €" && form.age == 41 && form.ratio == 0.5 && form.agreed == true)
    #expect(form.home?.city == "Brno" && form.tags == ["a", "b"] && form.extra == ["k": 1])
  }

  @Test(
    "an unknown member is refused at every depth, by its pointer",
    arguments: [
      (#"{"name":"a","nom":1}"#, ["/nom"]), (#"{"name":"a","home":{"city":"b","zip":1}}"#, ["/home/zip"]),
      (#"{"name":"a","homes":[{"city":"b"},{"city":"c","x":{"y":1}}]}"#, ["/homes/1/x"]),
      (#"{"name":"a","places":{"k/~":{"city":"b","q":1}}}"#, ["/places/k~1~0/q"]),
      (#"{"name":"a","~a/b":1,"":2}"#, ["/", "/~0a~1b"]), (#"{"name":"a","Name":"b"}"#, ["/Name"]),
    ])
  func unknown(body: String, pointers: [String]) {
    let problem = refusal(body)
    #expect(problem?.code == "unknown-field" && problem?.category == .badRequest)
    #expect(problem?.fields.map(\.pointer) == pointers)
  }

  @Test(
    "a wrong member is refused by pointer and kind of fault",
    arguments: [
      ("{}", "/name", "required"), (#"{"name":null}"#, "/name", "required"), (#"{"name":7}"#, "/name", "type"),
      (#"{"name":"a","age":"7"}"#, "/age", "type"), (#"{"name":"a","age":1.5}"#, "/age", "type"),
      (#"{"name":"a","age":true}"#, "/age", "type"), (#"{"name":"a","agreed":1}"#, "/agreed", "type"),
      (#"{"name":"a","agreed":"true"}"#, "/agreed", "type"), (#"{"name":true}"#, "/name", "type"),
      (#"{"name":"a","home":[]}"#, "/home", "type"), (#"{"name":"a","home":{}}"#, "/home/city", "required"),
      (#"{"name":"a","tags":{}}"#, "/tags", "type"), (#"{"name":"a","tags":["b",1]}"#, "/tags/1", "type"),
      (#"{"name":"a","tags":["b",null]}"#, "/tags/1", "required"), (#"{"name":"a","small":128}"#, "/small", "type"),
      (#"{"name":"a","count":-1}"#, "/count", "type"), (#"{"name":"a","photo":"!!"}"#, "/photo", "format"),
      (#"{"name":"a","kind":"purple"}"#, "/kind", "format"), ("[]", "", "type"), ("7", "", "type"),
      ("null", "", "required"), (#"{"name":"a\u0000b"}"#, "/name", "format"),
    ])
  func wrong(body: String, pointer: String, code: String) {
    let problem = refusal(body)
    #expect(problem?.code == "validation-failed" && problem?.category == .unprocessable)
    #expect(problem?.fields.map(\.pointer) == [pointer])
    #expect(problem?.fields.map(\.code) == [code])
  }

  @Test(
    "all wrong members are refused at once, each once",
    arguments: [
      (#"{"name":7,"age":"x","kind":"purple"}"#, ["/age type", "/kind format", "/name type"]),
      (
        #"{"age":1.5,"home":{"city":[]},"tags":[1,"a",{}]}"#,
        ["/age type", "/home/city type", "/name required", "/tags/0 type", "/tags/2 type"]
      ),
      (
        #"{"name":null,"homes":[{"city":"a"},{},7],"photo":"!!"}"#,
        ["/homes/1/city required", "/homes/2 type", "/name required", "/photo format"]
      ),
      (#"{"name":{"x":1},"extra":{"k":"v"},"unknown":1}"#, ["/extra/k type", "/name type"]),
    ])
  func allWrong(body: String, faults: [String]) {
    #expect(refusal(body)?.fields.map { "\($0.pointer) \($0.code)" }.sorted() == faults)
  }

  @Test("an answer names twenty faults at most, and one of a body as large as pictures are")
  func boundedFaults() {
    let tags = Array(repeating: "1", count: 60).joined(separator: ",")
    #expect(refusal(#"{"name":"a","tags":[\#(tags)]}"#)?.fields.count == 20)
    let large = String(repeating: "x", count: 40_000)
    #expect(refusal(#"{"name":7,"age":"\#(large)"}"#)?.fields.count == 1)
  }

  @Test("what a type finds wrong because a member at fault was left out is not told")
  func followingFault() {
    struct Range: Decodable {
      let least: Int
      let most: Int

      init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        (least, most) = (try members.decode(Int.self, forKey: .least), try members.decode(Int.self, forKey: .most))
        guard least <= most else {
          throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: ""))
        }
      }

      enum CodingKeys: CodingKey { case least, most }
    }
    let refused = problem { try StrictJSON.decode(Range.self, from: Data(#"{"least":1,"most":"2"}"#.utf8)) }
    #expect(refused?.fields.map(\.pointer) == ["/most"])
  }

  @Test("null and absence are the same for an optional member")
  func nulls() throws {
    let form = try decode(#"{"name":"a","age":null,"home":null,"tags":null,"extra":null}"#)
    #expect(form.age == nil && form.home == nil && form.tags == nil && form.extra == nil)
  }

  @Test(
    "whole numbers are exact up to 2^53 - 1, and beyond it refused rather than rounded",
    arguments: [
      ("0", 0), ("-0", 0), ("1e3", 1000), ("1.0", 1), ("9007199254740991", 9_007_199_254_740_991),
      ("-9007199254740991", -9_007_199_254_740_991), ("9007199254740993", nil), ("-9007199254740993", nil),
      ("9223372036854775807", nil), ("9223372036854775808", nil), ("18446744073709551616", nil), ("1e400", nil),
      ("0.1", nil),
    ] as [(String, Int?)])
  func numbers(text: String, value: Int?) {
    #expect((try? decode(#"{"name":"a","age":\#(text)}"#))?.age == value)
  }

  @Test("a fraction beyond what a double holds is refused, never endless")
  func hugeFraction() {
    let ratio = (try? decode(#"{"name":"a","ratio":1e999}"#))?.ratio
    #expect(ratio?.isFinite ?? true)
  }

  @Test(
    "what is not JSON is refused as such",
    arguments: [
      "", " ", "{", "}", #"{"name"}"#, "{'name':'a'}", #"{"name":"a"} x"#, #"{"name":"\ud800"}"#, "NaN",
      #"{"name":"a" "age":1}"#, "{\"name\":\"a\nb\"}", #"{"name":01}"#, "// x\n{}",
    ])
  func notJSON(body: String) {
    let problem = refusal(body)
    #expect(problem?.category == .badRequest && problem?.code == "invalid-json")
  }

  @Test("bytes that are no UTF-8 are refused")
  func notUTF8() {
    let problem = refusal(Data(#"{"name":""#.utf8) + [0xff, 0xc0] + Data(#""}"#.utf8))
    #expect(problem?.code == "invalid-json")
    for encoding: String.Encoding in [.utf16, .utf16LittleEndian, .utf16BigEndian, .utf32, .utf32LittleEndian] {
      #expect(#"{"name":"a"}"#.data(using: encoding).flatMap(refusal)?.code == "invalid-json", "\(encoding)")
    }
  }

  @Test("two members of one name are refused, also where unknown members are ignored")
  func repeated() {
    let body = Data(#"{"name":"a","name":"b"}"#.utf8)
    for ignores in [false, true] {
      let refused = problem { try StrictJSON.decode(Form.self, from: body, ignoringUnknown: ignores) }
      #expect(refused?.code == "invalid-json" && refused?.category == .badRequest)
    }
  }

  @Test("deep nesting is refused, however deep", arguments: [40, 600, 200_000])
  func depthBomb(depth: Int) {
    let tree = String(repeating: #"{"next":"#, count: depth) + "{}" + String(repeating: "}", count: depth)
    #expect(problem { try StrictJSON.decode(Link.self, from: Data(tree.utf8)) }?.code == "invalid-json")
    let arrays = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    #expect(refusal(arrays) != nil)
    #expect(refusal(#"{"name":"a","deep":\#(arrays)}"#) != nil)
  }

  @Test("nesting within the bound is read")
  func nested() throws {
    let tree = String(repeating: #"{"next":"#, count: 30) + "{}" + String(repeating: "}", count: 30)
    let first = try StrictJSON.decode(Link.self, from: Data(tree.utf8))
    #expect(sequence(first: first) { $0.next }.reduce(0) { count, _ in count + 1 } == 31)
  }

  @Test("an enumeration with values does not let unknown members in beside its case")
  func enumeration() throws {
    #expect(try StrictJSON.decode(Choice.self, from: Data(#"{"mail":{"to":"a"}}"#.utf8)) == .mail(to: "a"))
    for body in [#"{"mail":{"to":"a"},"other":1}"#, #"{"mail":{"to":"a","cc":"b"}}"#] {
      #expect(problem { try StrictJSON.decode(Choice.self, from: Data(body.utf8)) } != nil)
    }
  }

  @Test(
    "a type without members takes an empty object and nothing else",
    arguments: [#"{"a":1}"#, "[1]", "7", #""x""#, "null"])
  func nothing(body: String) throws {
    _ = try StrictJSON.decode(Nothing.self, from: Data("{}".utf8))
    #expect(problem { try StrictJSON.decode(Nothing.self, from: Data(body.utf8)) } != nil)
  }

  @Test("a member without members of its own takes no unknown ones")
  func nestedNothing() {
    #expect(refusal(#"{"name":"a","nothing":{"x":1}}"#)?.fields.first?.pointer == "/nothing/x")
  }

  @Test("a problem never quotes the value that it refuses")
  func noValues() {
    for body in [
      #"{"name":"a","age":"hunter2"}"#, #"{"name":"a","kind":"hunter2"}"#, #"{"name":["hunter2"]}"#, "hunter2",
    ] {
      #expect(!String(reflecting: refusal(body)).contains("hunter2"))
    }
  }

  private func decode(_ body: String) throws -> Form { try StrictJSON.decode(Form.self, from: Data(body.utf8)) }
  private func refusal(_ body: String) -> Problem? { refusal(Data(body.utf8)) }
  private func refusal(_ body: Data) -> Problem? { problem { try StrictJSON.decode(Form.self, from: body) } }
}

/// The problem that `body` throws, nil when it throws none; any other error is an issue of its own.
func problem(_ body: () throws -> some Any) -> Problem? {
  do {
    _ = try body()
    return nil
  } catch let problem as Problem {
    return problem
  } catch {
    Issue.record(error)
    return nil
  }
}

struct Form: Codable {
  struct Place: Codable { var city: String }
  enum Kind: String, Codable { case red, green }
  var name: String
  var age: Int?
  var ratio: Double?
  var small: Int8?
  var count: UInt?
  var agreed: Bool?
  var home: Place?
  var homes: [Place]?
  var places: [String: Place]?
  var tags: [String]?
  var extra: [String: Int]?
  var photo: Data?
  var kind: Kind?
  var nothing: Nothing?
}

struct Nothing: Codable {}

final class Link: Codable {
  let next: Link?
}

enum Choice: Codable, Equatable { case mail(to: String), sms(number: String) }
