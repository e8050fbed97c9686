// SPDX-License-Identifier: Apache-2.0

import Foundation
import SaltEdgeCore
import TestSupport
import Testing

@Suite("Salt Edge: signatures of v1")
struct SignedRequestTests {
  private static let url = "https://bank.example:4567/base/api/authenticator/v1/authorizations/444?x=1"
  private static let body = Data(#"{"data":{"confirm":true}}"#.utf8)
  private static let now: Int64 = 1_900_000_000

  private func request(
    method: String = "PUT", url: String = url, expiresAt: String? = String(now + 300), body: Data = body
  ) -> SignedRequest {
    SignedRequest(method: method, url: url, expiresAt: expiresAt, body: body)
  }

  private func error(_ request: SignedRequest, _ signature: String?, now: Int64 = now) throws -> SaltEdgeError? {
    let key = try TestKeys.device().publicKey
    do throws(SaltEdgeError) {
      try request.verify(signature, with: key, nowSeconds: now)
      return nil
    } catch { return error }
  }

  @Test("holds for the very request and for no other")
  func bound() throws {
    let signature = try request().signature(with: TestKeys.device())
    #expect(try error(request(), signature) == nil && error(request(method: "put"), signature) == nil)
    let others = [
      request(method: "POST"), request(url: Self.url + "2"), request(url: Self.url.replacing("https", with: "http")),
      request(url: Self.url.replacing(":4567", with: "")), request(expiresAt: String(Self.now + 301)),
      request(expiresAt: "0" + String(Self.now + 300)), request(body: Data()),
      request(body: Self.body + Data("\n".utf8)),
    ]
    for other in others { #expect(try error(other, signature) == .invalidSignature) }
    #expect(try error(request(), request().signature(with: TestKeys.bank())) == .invalidSignature)
  }

  @Test("is asked for, then its expiry, then itself")
  func order() throws {
    let signature = try request().signature(with: TestKeys.device())
    #expect(try error(request(expiresAt: nil), nil) == .signatureMissing)
    #expect(try error(request(), "") == .signatureMissing)
    #expect(try error(request(expiresAt: nil), "x") == .signatureExpired)
    #expect(try error(request(), "x", now: Self.now + 300) == .signatureExpired)
    #expect(try error(request(), "x") == .invalidSignature)
    #expect(try error(request(), signature) == nil)
  }

  @Test(
    "holds for an hour at most, and not at its expiry",
    arguments: [
      (299, false), (300, true), (301, true), (-3300, false), (-3301, true),
    ] as [(Int64, Bool)])
  func lifetime(elapsed: Int64, isExpired: Bool) throws {
    let signature = try request().signature(with: TestKeys.device())
    #expect(try error(request(), signature, now: Self.now + elapsed) == (isExpired ? .signatureExpired : nil))
  }

  @Test(
    "an expiry is decimal digits",
    arguments: [
      "", " ", "abc", "+1900000300", "-1900000300", " 1900000300", "1900000300 ", "1900000300.0", "1.9e9", "0x713fb300",
      "１９００００００３０0", "99999999999999999999999999", "9223372036854775807", "999999999999999999",
    ])
  func expiries(text: String) throws {
    #expect(try error(request(expiresAt: text), "x") == .signatureExpired)
  }

  @Test("clocks at the end of time do not overflow")
  func overflow() throws {
    #expect(try error(request(), "x", now: .max) == .signatureExpired)
    #expect(try error(request(), "x", now: .min) == .signatureExpired)
    let key = try TestKeys.device()
    let far = request(expiresAt: "999999999999999999")
    try far.verify(far.signature(with: key), with: key.publicKey, nowSeconds: 1, secondsAheadMax: .max)
  }

  @Test("is Base64 in its one spelling")
  func spelling() throws {
    let signature = try request().signature(with: TestKeys.device())
    #expect(signature.utf8.count == 344 && signature.hasSuffix("=="))
    let wrapped = signature.prefix(60) + "\n" + signature.dropFirst(60)
    let spellings = [
      signature + "\n", " " + signature, String(wrapped), String(signature.dropLast(2)),
      String(signature.dropLast(3)) + "+==",
      signature.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: ""), signature + signature,
      String(repeating: "A", count: 1_000_000), "é",
    ]
    for other in spellings where other != signature { #expect(try error(request(), other) == .invalidSignature) }
  }

  @Test("what could be read in two ways is neither signed nor accepted")
  func ambiguous() throws {
    let key = try TestKeys.device()
    for url in [
      "https://bank.example/a|b", "https://bank.example/a b", "https://bank.example/é", "https://bank.example/\n",
    ] {
      #expect(throws: SaltEdgeError.malformed(.url)) { try request(url: url).signature(with: key) }
      #expect(try error(request(url: url), "AAAA") == .invalidSignature)
    }
    #expect(throws: SaltEdgeError.malformed(.url)) { try request(method: "").signature(with: key) }
    #expect(throws: SaltEdgeError.malformed(.url)) { try request(method: "g|t").signature(with: key) }
    #expect(throws: SaltEdgeError.signatureExpired) { try request(expiresAt: nil).signature(with: key) }
  }

  @Test("is bounded")
  func bounds() throws {
    let key = try TestKeys.device()
    let url = "https://bank.example/" + String(repeating: "a", count: SignedRequest.urlBytesMax)
    #expect(throws: SaltEdgeError.tooLong(.url)) { try request(url: url).signature(with: key) }
    let body = Data(count: SignedRequest.bodyBytesMax + 1)
    #expect(throws: SaltEdgeError.tooLong(.body)) { try request(body: body).signature(with: key) }
    #expect(try error(request(body: body), "AAAA") == .tooLong(.body))
  }

  @Test("errors have their classes on the wire")
  func classes() {
    #expect(SaltEdgeError.signatureMissing.errorClass == "SignatureMissing")
    #expect(SaltEdgeError.signatureExpired.errorClass == "SignatureExpired")
    #expect(SaltEdgeError.invalidSignature.errorClass == "InvalidSignature")
    #expect(SaltEdgeError.undecryptable.errorClass == "WrongRequestFormat")
  }
}
