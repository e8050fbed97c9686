// SPDX-License-Identifier: Apache-2.0

import Foundation
import SaltEdgeCore
import Testing

/// What devices and a real v1 service said to each other.
struct ServiceTranscript: Decodable {
  struct Exchange: Decodable {
    struct Request: Decodable {
      let method, url, body: String
      let headers: [String: String]

      func header(_ name: String) -> String? {
        headers.first { $0.key.lowercased() == name.lowercased() }?.value
      }

      var signed: SignedRequest {
        SignedRequest(
          method: method, url: url, expiresAt: header(SignedRequest.expiryHeader), body: Data(body.utf8))
      }
    }
    struct Response: Decodable {
      let status: Int
      let body: String
      let location: String?
    }
    let name: String
    let request: Request
    let response: Response
    /// What the answer's entities decrypt to.
    let decrypted: OneOrMany?
  }
  enum OneOrMany: Decodable {
    case one(String), many([String])

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let one = try? container.decode(String.self) {
        self = .one(one)
      } else {
        self = .many(try container.decode([String].self))
      }
    }
  }
  struct Failure: Decodable {
    let error_class: String
  }
  struct Wrapped<Content: Decodable>: Decodable {
    let data: Content
  }

  let client_key: String
  let exchanges: [Exchange]

  /// An instant at which the service answered: after everything that had expired, before everything that had not.
  var nowSeconds: Int64 {
    func expiries(_ isExpired: Bool) -> [Int64] {
      exchanges.filter { (Self.errorClass($0) == "SignatureExpired") == isExpired }
        .compactMap { $0.request.header(SignedRequest.expiryHeader).flatMap { Int64($0) } }
    }
    return expiries(true).max() ?? (expiries(false).min() ?? 0) - 1
  }

  static func errorClass(_ exchange: Exchange) -> String? {
    try? JSONDecoder().decode(Failure.self, from: Data(exchange.response.body.utf8)).error_class
  }
}

@Suite("Salt Edge vectors: transcripts of a v1 service", SampleFolder.suite("v1/transcript_"))
struct ServiceTranscriptVectorTests {
  static let files = SampleFolder.files("v1/transcript_")

  @Test("every signature is judged as the service judged it", arguments: files)
  func signatures(path: String) throws {
    let transcript: ServiceTranscript = try SampleFolder.json(path)
    let key = try SampleFolder.publicKey(transcript.client_key)
    let now = transcript.nowSeconds
    var judged = 0
    for exchange in transcript.exchanges where exchange.request.header("Access-Token") != nil {
      let errorClass = ServiceTranscript.errorClass(exchange)
      // The token is looked up before the signature is looked at.
      guard errorClass != "ConnectionNotFound" else { continue }
      func verify(secondsAheadMax: Int64) -> SaltEdgeError? {
        do throws(SaltEdgeError) {
          try exchange.request.signed.verify(
            exchange.request.header(SignedRequest.signatureHeader), with: key, nowSeconds: now,
            secondsAheadMax: secondsAheadMax)
          return nil
        } catch { return error }
      }
      let ours = verify(secondsAheadMax: .max)
      if let errorClass, errorClass.contains("Signature") {
        #expect(ours?.errorClass == errorClass, "\(exchange.name)")
      } else {
        #expect(ours == nil, "\(exchange.name)")
        // The service has no maximum; ours is an hour.
        let expiry = try #require(exchange.request.header(SignedRequest.expiryHeader).flatMap { Int64($0) })
        let isFar = expiry > now + SignatureExpiry.secondsAheadMax
        #expect(
          verify(secondsAheadMax: SignatureExpiry.secondsAheadMax) == (isFar ? .signatureExpired : nil),
          "\(exchange.name)")
      }
      judged += 1
    }
    #expect(judged > 0)
  }

  @Test("every authorization is read", arguments: files)
  func authorizations(path: String) throws {
    let transcript: ServiceTranscript = try SampleFolder.json(path)
    let key = try SampleFolder.privateKey(transcript.client_key)
    struct Content: Decodable { let authorization_code: String }
    #expect(!transcript.exchanges.isEmpty)
    for exchange in transcript.exchanges {
      let body = Data(exchange.response.body.utf8)
      let (payloads, plaintexts): ([EncryptedPayload], [String]) =
        switch exchange.decrypted {
        case .one(let text):
          ([try JSONDecoder().decode(ServiceTranscript.Wrapped<EncryptedPayload>.self, from: body).data], [text])
        case .many(let texts):
          (try JSONDecoder().decode(ServiceTranscript.Wrapped<[EncryptedPayload]>.self, from: body).data, texts)
        case nil: ([], [])
        }
      #expect(try payloads.map { try $0.decrypted(with: key) } == plaintexts, "\(exchange.name)")
      for text in plaintexts {
        let code = try JSONDecoder().decode(Content.self, from: Data(text.utf8)).authorization_code
        #expect(try AuthorizationCode(text: code).matches(code))
      }
    }
  }

  @Test("every redirect to the device is read", arguments: files)
  func redirects(path: String) throws {
    let transcript: ServiceTranscript = try SampleFolder.json(path)
    struct Answer: Decodable { let connect_url: String }
    #expect(!transcript.exchanges.isEmpty)
    for exchange in transcript.exchanges {
      let answer = try? JSONDecoder().decode(
        ServiceTranscript.Wrapped<Answer>.self, from: Data(exchange.response.body.utf8))
      for url in [exchange.response.location, answer?.data.connect_url].compactMap({ $0 })
      where ReturnRedirect.isEnd(url, returnURL: ReturnRedirect.returnURL) {
        let redirect = try ReturnRedirect(url: url)
        #expect(redirect.says(url), "\(exchange.name)")
      }
    }
  }
}
