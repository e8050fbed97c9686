// SPDX-License-Identifier: Apache-2.0

import HTTP
import TestSupport
import Testing
import Tracing

@Suite("Telemetry: W3C trace context", .storeless)
struct TraceContextTests {
  private static let trace = "0af7651916cd43dd8448eb211c80319c"
  private static let span = "b7ad6b7169203331"

  @Test("the standard's own example is read, and written as it came")
  func example() throws {
    let context = try #require(
      TraceContext(
        traceparent: "00-\(Self.trace)-\(Self.span)-01", tracestate: "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE"))
    #expect(context.traceID == Self.trace && context.spanID == Self.span && context.isSampled)
    #expect(context.traceparent == "00-\(Self.trace)-\(Self.span)-01")
    #expect(context.state.text == "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE")
  }

  @Test(
    "flags that Level 1 does not know are not passed on",
    arguments: [("00", "00"), ("01", "01"), ("02", "00"), ("ff", "01"), ("fe", "00")])
  func flags(sent: String, passedOn: String) {
    let context = TraceContext(traceparent: "00-\(Self.trace)-\(Self.span)-\(sent)", tracestate: nil)
    #expect(context?.traceparent.hasSuffix("-\(passedOn)") == true)
  }

  @Test("a later version is read as far as it is known")
  func laterVersion() {
    for text in ["cc-\(Self.trace)-\(Self.span)-01", "cc-\(Self.trace)-\(Self.span)-01-what-comes-then"] {
      #expect(TraceContext(traceparent: text, tracestate: nil)?.traceID == Self.trace)
    }
  }

  @Test(
    "a damaged traceparent begins a new trace",
    arguments: [
      "", "00", "00-\(trace)-\(span)", "00-\(trace)-\(span)-", "00-\(trace)-\(span)-1", "00-\(trace)-\(span)-01-",
      "00-\(trace)-\(span)-01-x", "ff-\(trace)-\(span)-01", "cc-\(trace)-\(span)-01x", "cc-\(trace)-\(span)-01.x",
      "0-\(trace)-\(span)-01", "00_\(trace)_\(span)_01", "00-\(trace.uppercased())-\(span)-01",
      "00-\(trace)-\(span.uppercased())-01", "00-00000000000000000000000000000000-\(span)-01",
      "00-\(trace)-0000000000000000-01", "00-\(trace)-\(span)-0X", "00-\(trace.dropLast())g-\(span)-01",
      " 00-\(trace)-\(span)-01", "00-\(trace)-\(span)-01 ", "00-\(trace)-\(span)-01,00-\(trace)-\(span)-01",
      "00-\(trace)-\(span)-0١",
    ])
  func damaged(text: String) {
    #expect(TraceContext(traceparent: text, tracestate: "a=1") == nil)
  }

  @Test(
    "what other systems said is passed on without spaces around it and without empty members",
    arguments: [
      ("a=1", "a=1"), (" a=1 ,\tb=2\t", "a=1,b=2"), ("a=1,,b=2,", "a=1,b=2"), ("", ""), (" , ", ""),
      ("t61rcwkgmze@rojo=1", "t61rcwkgmze@rojo=1"), ("0t@a=1", "0t@a=1"), ("a_-*/0=1", "a_-*/0=1"), ("a=x y", "a=x y"),
    ])
  func state(sent: String, passedOn: String) {
    #expect(TraceState(parsing: sent)?.text == passedOn)
  }

  @Test(
    "one damaged member drops them all, and the trace goes on",
    arguments: [
      "a", "a=", "=1", "A=1", "0a=1", "a=1,a=2", "a b=1", "a=1=2", "a@=1", "@a=1", "a@0b=1", "a@b@c=1",
      "a@bcdefghijklmnop=1",
      "a=é", "a=\u{1}", "é=1",
    ])
  func damagedState(text: String) {
    #expect(TraceState(parsing: text) == nil)
    let context = TraceContext(traceparent: "00-\(Self.trace)-\(Self.span)-01", tracestate: text)
    #expect(context?.state.text == "")
  }

  @Test("members, keys, values and the whole have maxima")
  func maxima() {
    let members = (0..<33).map { "k\($0)=v" }
    #expect(TraceState(parsing: members.dropLast().joined(separator: ",")) != nil)
    #expect(TraceState(parsing: members.joined(separator: ",")) == nil)
    #expect(TraceState(parsing: String(repeating: "a", count: 256) + "=1") != nil)
    #expect(TraceState(parsing: String(repeating: "a", count: 257) + "=1") == nil)
    #expect(TraceState(parsing: "a=" + String(repeating: "1", count: 256)) != nil)
    #expect(TraceState(parsing: "a=" + String(repeating: "1", count: 257)) == nil)
    #expect(TraceState(parsing: String(repeating: ",", count: 4097)) == nil)
  }

  @Test("whatever comes, what is passed on is well formed and reads the same again", arguments: UInt64(1)...8)
  func fuzz(seed: UInt64) throws {
    var randomness = SeededGenerator(seed: seed)
    let alphabet = Array("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01fFgG, =@_\t\u{0}é-")
    let form = try Regex("00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-0[01]")
    for _ in 0..<4000 {
      var parent = Array("00-\(Self.trace)-\(Self.span)-01")
      for _ in 0..<Int.random(in: 0...3, using: &randomness) {
        let index = Int.random(in: 0..<parent.count, using: &randomness)
        switch Int.random(in: 0...2, using: &randomness) {
        case 0: parent[index] = alphabet.randomElement(using: &randomness) ?? "-"
        case 1: parent.insert(alphabet.randomElement(using: &randomness) ?? "-", at: index)
        default: parent.remove(at: index)
        }
      }
      let length = Int.random(in: 0...24, using: &randomness)
      let state = String((0..<length).map { _ in alphabet.randomElement(using: &randomness) ?? "," })
      guard let context = TraceContext(traceparent: String(parent), tracestate: state) else { continue }
      #expect(try form.wholeMatch(in: context.traceparent) != nil)
      #expect(TraceContext(traceparent: context.traceparent, tracestate: context.state.text) == context)
    }
  }
}
