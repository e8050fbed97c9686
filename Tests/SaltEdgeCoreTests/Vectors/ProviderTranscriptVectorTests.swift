// SPDX-License-Identifier: Apache-2.0

import Foundation
import SaltEdgeCore
import Testing

/// What a v2 service and a real bank said to each other.
struct ProviderTranscript: Decodable {
  struct Exchange: Decodable {
    struct Request: Decodable {
      let body: String
    }
    struct Response: Decodable {
      let location: String?
      let body: String
    }
    let name: String
    let request: Request
    let response: Response
  }
  struct Callback: Decodable {
    let path, body, signature_verified_with: String
    let headers: [String: String]
    /// In the order of the entities within the body.
    let decrypted: [ExpectedPayload]?
  }

  let app_key, provider_key: String
  let service_to_provider_and_bank_pages: [Exchange]
  let provider_to_service_callbacks: [Callback]
}

@Suite("Salt Edge vectors: transcripts of a v2 bank", SampleFolder.suite("v2/provider_peer_transcript_"))
struct ProviderTranscriptVectorTests {
  static let files = SampleFolder.files("v2/provider_peer_transcript_")

  struct Body<Content: Decodable>: Decodable {
    let data: Content
    let exp: Int64?
  }
  struct Connecting: Decodable {
    let enc_rsa_public_key: EncryptedPayload
  }
  struct Forwarded: Decodable {
    let original_request, original_request_jws_signature: String
  }
  struct Asked: Decodable {
    let authorization, authorizations: EncryptedPayload?
  }
  struct Pushed: Decodable {
    let authorizations, consents: [EncryptedPayload]?
  }
  struct Connected: Decodable {
    let rsa_public_key: String
  }
  struct Decision: Decodable {
    let authorization_code: String
  }

  private func decode<Content: Decodable>(_ text: String) -> Body<Content>? {
    try? JSONDecoder().decode(Body<Content>.self, from: Data(text.utf8))
  }

  @Test("the bank's callbacks are signed, and what they bring is read by the device", arguments: files)
  func callbacks(path: String) throws {
    let transcript: ProviderTranscript = try SampleFolder.json(path)
    let device = try SampleFolder.privateKey(transcript.app_key)
    #expect(!transcript.provider_to_service_callbacks.isEmpty)
    for callback in transcript.provider_to_service_callbacks {
      let bank = try SampleFolder.publicKey(callback.signature_verified_with)
      let signature = callback.headers.first { $0.key.lowercased() == DetachedJWS.header }?.value
      let expiry = try JSONDecoder().decode(Expiry.self, from: Data(callback.body.utf8)).exp
      try DetachedJWS.verify(signature, body: Data(callback.body.utf8), with: bank, nowSeconds: expiry - 120)
      #expect(throws: SaltEdgeError.invalidSignature) {
        try DetachedJWS.verify(signature, body: Data((callback.body + " ").utf8), with: bank)
      }
      let pushed: Pushed? = decode(callback.body)?.data
      let payloads = (pushed?.authorizations ?? []) + (pushed?.consents ?? [])
      #expect(payloads.count == callback.decrypted?.count ?? 0, "\(callback.path)")
      for (payload, expected) in zip(payloads, callback.decrypted ?? []) { try expected.check(payload, with: device) }
      if let connected: Body<Connected> = decode(callback.body) {
        #expect(try RSAPublicKey(pem: connected.data.rsa_public_key) == device.publicKey)
      }
    }
  }

  struct Expiry: Decodable {
    let exp: Int64
  }

  @Test("the bank reads the device's key and decisions, and these are the device's", arguments: files)
  func requests(path: String) throws {
    let transcript: ProviderTranscript = try SampleFolder.json(path)
    let device = try SampleFolder.privateKey(transcript.app_key)
    let bank = try SampleFolder.privateKey(transcript.provider_key)
    #expect(!transcript.service_to_provider_and_bank_pages.isEmpty)
    for exchange in transcript.service_to_provider_and_bank_pages {
      if let connecting: Body<Connecting> = decode(exchange.request.body) {
        let pem = try connecting.data.enc_rsa_public_key.decrypted(with: bank)
        #expect(try RSAPublicKey(pem: pem) == device.publicKey, "\(exchange.name)")
      }
      if let forwarded: Body<Forwarded> = decode(exchange.request.body) {
        let original = Data(forwarded.data.original_request.utf8)
        let request = try JSONDecoder().decode(Body<EncryptedPayload>.self, from: original)
        try DetachedJWS.verify(
          forwarded.data.original_request_jws_signature, body: original, with: device.publicKey,
          nowSeconds: #require(request.exp) - 300)
        let decision = try request.data.decrypted(with: bank)
        let code = try JSONDecoder().decode(Decision.self, from: Data(decision.utf8)).authorization_code
        #expect(try AuthorizationCode(text: code).matches(code), "\(exchange.name)")
      }
      if let asked: Body<Asked> = decode(exchange.response.body),
        let payload = asked.data.authorization ?? asked.data.authorizations
      {
        let text = try payload.decrypted(with: device)
        #expect(throws: Never.self, "\(exchange.name)") {
          try JSONDecoder().decode(Decision.self, from: Data(text.utf8))
        }
      }
    }
  }

  @Test("the device reads the token in the redirect, and the bank's callback has the same", arguments: files)
  func tokens(path: String) throws {
    let transcript: ProviderTranscript = try SampleFolder.json(path)
    let device = try SampleFolder.privateKey(transcript.app_key)
    struct Token: Decodable { let access_token: String }
    let told = transcript.provider_to_service_callbacks.compactMap { callback in
      (decode(callback.body) as Body<Token>?)?.data.access_token
    }
    var read = 0
    for exchange in transcript.service_to_provider_and_bank_pages {
      guard let location = exchange.response.location,
        ReturnRedirect.isEnd(location, returnURL: ReturnRedirect.returnURL),
        case .authenticated(let encrypted, _) = try ReturnRedirect(url: location)
      else { continue }
      let token = try EncryptedAccessToken.decrypt(encrypted, with: device)
      #expect(told.contains(token), "\(exchange.name)")
      #expect(try ReturnRedirect(url: location).says(location))
      read += 1
    }
    #expect(read > 0)
  }
}
