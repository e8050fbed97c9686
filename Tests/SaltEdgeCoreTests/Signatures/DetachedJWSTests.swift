// SPDX-License-Identifier: Apache-2.0

import Foundation
import SaltEdgeCore
import TestSupport
import Testing

@Suite("Salt Edge: signatures of v2")
struct DetachedJWSTests {
  private static let now: Int64 = 1_900_000_000
  private static let body = Data(#"{"data":{},"exp":1900000300}"#.utf8)

  private func error(_ signature: String?, body: Data = body, now: Int64 = now) throws -> SaltEdgeError? {
    let key = try TestKeys.device().publicKey
    do throws(SaltEdgeError) {
      try DetachedJWS.verify(signature, body: body, with: key, nowSeconds: now)
      return nil
    } catch { return error }
  }

  /// Rightly signed, whatever the header says.
  private func signature(header: String, body: Data = body) throws -> String {
    let header = Base64Text.url(Data(header.utf8))
    let signed = Data("\(header).\(Base64Text.url(body))".utf8)
    return try "\(header)..\(Base64Text.url(TestKeys.device().signature(for: signed)))"
  }

  @Test("holds for the very body and the one key")
  func bound() throws {
    let signature = try DetachedJWS.sign(Self.body, with: TestKeys.device())
    #expect(signature.hasPrefix("eyJhbGciOiJSUzI1NiJ9.."))
    #expect(try error(signature) == nil)
    #expect(try error(signature, body: Self.body + Data("\n".utf8)) == .invalidSignature)
    #expect(try error(signature, body: Data()) == .invalidSignature)
    #expect(try error(DetachedJWS.sign(Self.body, with: TestKeys.bank())) == .invalidSignature)
    #expect(try error(nil) == .signatureMissing && error("") == .signatureMissing)
  }

  @Test(
    "headers that say RS256 and ask for nothing else",
    arguments: [
      #"{"typ":"JWT","alg":"RS256"}"#, #"{ "alg" : "RS256" }"#, #"{"alg":"RS256","kid":"1"}"#,
      #"{"alg":"RS256","b64":true}"#,
      #"{"alg":"RS256"}"#,
    ])
  func accepted(header: String) throws {
    #expect(try error(signature(header: header)) == nil)
  }

  @Test(
    "other headers are refused, rightly signed or not",
    arguments: [
      #"{"alg":"none"}"#, #"{"alg":"HS256"}"#, #"{"alg":"RS384"}"#, #"{"alg":"PS256"}"#, #"{"alg":"rs256"}"#, "{}",
      "[]", "",
      "null", #""RS256""#, #"{"alg":null}"#, #"{"alg":["RS256"]}"#, #"{"alg":"RS256","crit":["exp"]}"#,
      #"{"alg":"RS256","crit":[]}"#, #"{"alg":"RS256","crit":null}"#, #"{"alg":"RS256","b64":false}"#,
      #"{"alg":"RS256","b64":null}"#, #"{"alg":"RS256","b64":0}"#, #"{"ALG":"RS256"}"#, #"{"alg":"RS256"} x"#,
      "{\"alg\":\"RS256\",\"kid\":\"\(String(repeating: "k", count: 1024))\"}",
      // Another reader would take the other one.
      #"{"alg":"RS256","alg":"none"}"#, #"{"alg":"none","alg":"RS256"}"#, #"{"alg":"RS256","\u0061lg":"RS256"}"#,
      #"{"alg":"RS256","x":{"kid":1,"kid":2}}"#, #"{"alg":"RS256","x":"\#(String(repeating: "\u{301}", count: 31))"}"#,
    ])
  func refused(header: String) throws {
    #expect(try error(signature(header: header)) == .invalidSignature)
  }

  @Test("has three segments, the middle one empty, in the one spelling")
  func segments() throws {
    let signature = try DetachedJWS.sign(Self.body, with: TestKeys.device())
    let (header, value) = (signature.prefix { $0 != "." }, signature.split(separator: ".").last ?? "")
    let payload = Base64Text.url(Self.body)
    let others = [
      "\(header).\(value)", "\(header).\(payload).\(value)", "\(header)...\(value)", "..\(value)", "\(header)..",
      "\(header)..\(value)==", "\(header)..\(value).", "\(header)..\(value)\n", " \(signature)", "\(header)=..\(value)",
      "\(header)..\(value.dropLast())", "\(header)..\(value)A", "..", "...", ".", "x", "é..é",
      String(repeating: ".", count: 100_000), "\(header)..\(String(repeating: "A", count: 100_000))",
    ]
    for other in others { #expect(try error(other) == .invalidSignature, "\(other.prefix(80))") }
  }

  @Test(
    "an expiry is a whole number in the body, read when the signature holds",
    arguments: [
      ("{}", true), (#"{"data":{}}"#, true), (#"{"exp":null}"#, true), (#"{"exp":"1900000300"}"#, true),
      (#"{"exp":1900000300.5}"#, true), (#"{"exp":true}"#, true), (#"{"exp":-1}"#, true), (#"{"exp":1e400}"#, true),
      (#"{"exp":99999999999999999999}"#, true), (#"{"data":{"exp":1900000300}}"#, true), ("[1900000300]", true),
      ("", true),
      ("1900000300", true), (#"{"exp":1900000000}"#, true), (#"{"exp":1900003601}"#, true),
      (#"{"exp":9223372036854775807}"#, true), (#"{"exp":1900000001}"#, false), (#"{"exp":1900003600}"#, false),
      (#"{"exp" : 1900000300, "data":[]}"#, false),
      // A program that reads it next could take the other one.
      (#"{"exp":1900000300,"exp":1800000000}"#, true), (#"{"exp":1900000300,"e\u0078p":1900000300}"#, true),
    ])
  func expiry(body: String, isExpired: Bool) throws {
    let body = Data(body.utf8)
    let signature = try DetachedJWS.sign(body, with: TestKeys.device())
    #expect(try error(signature, body: body) == (isExpired ? .signatureExpired : nil))
    #expect(try error("x", body: body) == .invalidSignature)
    try DetachedJWS.verify(signature, body: body, with: TestKeys.device().publicKey)
  }

  @Test("a signature with any letter changed is refused")
  func changed() throws {
    let signature = try DetachedJWS.sign(Self.body, with: TestKeys.device())
    for place in stride(from: 24, to: signature.utf8.count, by: 5) {
      var letters = Array(signature.utf8)
      letters[place] = letters[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
      #expect(try error(String(decoding: letters, as: UTF8.self)) == .invalidSignature)
    }
  }

  @Test("is bounded")
  func bounds() throws {
    let body = Data(count: SignedRequest.bodyBytesMax + 1)
    #expect(throws: SaltEdgeError.tooLong(.body)) { try DetachedJWS.sign(body, with: TestKeys.device()) }
    #expect(try error("x", body: body) == .tooLong(.body))
  }
}
