// SPDX-License-Identifier: Apache-2.0

import Foundation
import SEAuthenticator
import SEAuthenticatorV2
import TestSupport
import Testing

extension Published {
  @Suite("Published surface: hostile input")
  struct HostileInputTests {
    private static let links = [
      "authenticator://saltedge.com/connect?configuration=https%3A%2F%2Fa.example%2Fapi%2Fauthenticator%2Fv2&connect_query=q",
      "authenticator://saltedge.com/action?action_uuid=1&connect_url=https://a.example&return_to=https://b.example",
      "authenticator://saltedge.com/action?api_version=2&action_id=1&provider_id=1",
      "authenticator://oauth/redirect?id=1&access_token=a%2Bb&error_class=c",
    ]

    @Test("whatever a link says, what it leads to is a place of the web, and valid means complete")
    func fuzz() {
      var generator = SeededGenerator(seed: 11)
      var read = 0
      for round in 0..<4000 {
        var bytes = Array(Self.links[round % Self.links.count].utf8)
        for _ in 0...Int.random(in: 0..<4, using: &generator) {
          let place = Int.random(in: 0..<bytes.count, using: &generator)
          switch Int.random(in: 0..<3, using: &generator) {
          case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &generator)
          case 1: bytes.insert(UInt8.random(in: 0x20...0x7e, using: &generator), at: place)
          default: bytes.remove(at: place)
          }
        }
        guard let url = URL(string: String(decoding: bytes, as: UTF8.self)) else { continue }
        read += 1
        let schemes = [SEConnectHelper.configuration(from: url), SEConnectHelper.connectUrl(from: url)]
          .compactMap { $0?.scheme?.lowercased() }
        #expect(schemes.allSatisfy { ["http", "https"].contains($0) })
        if SEConnectHelper.isValidAction(deepLinkUrl: url) {
          #expect(SEConnectHelper.isValid(deepLinkUrl: url) && SEConnectHelper.shouldStartInstantActionFlow(url: url))
        }
        if SEConnectHelper.isValid(deepLinkUrl: url) { #expect(SEConnectHelper.apiVersion(from: url) != nil) }
        if case .succeeded(let token) = SERedirectHandler().decision(for: url) {
          #expect(!token.isEmpty && SENetConstants.hasRedirectUrl(url.absoluteString))
        }
      }
      #expect(read > 1000)
    }

    @Test("members of any type are read or refused, never more")
    func members() {
      let values: [Any] = [
        1, -1, 1.5, true, NSNull(), "", "text", [], [:] as [String: Any], ["a": 1], "2026-11-21T06:00:00Z",
      ]
      var generator = SeededGenerator(seed: 12)
      let names = [
        "id", "connection_id", "title", "description", "authorization_code", "created_at", "expires_at", "tpp_name",
        "consent_type", "accounts", "shared_data", "user_id",
      ]
      for _ in 0..<2000 {
        let dictionary = Dictionary(
          uniqueKeysWithValues: names.map { ($0, values[Int.random(in: 0..<values.count, using: &generator)]) })
        let isReadable = ["title", "description", "created_at", "expires_at"].allSatisfy { dictionary[$0] is String }
        if let read = SEAuthorizationData(dictionary) {
          #expect(isReadable && read.title == dictionary["title"] as? String && read.createdAt == read.expiresAt)
        }
        if SEAuthorizationDataV2(dictionary, id: "1", connectionId: "2", status: .pending) != nil {
          #expect(dictionary["title"] is String && dictionary["description"] is [String: Any])
        }
        if let read = SEConsentData(dictionary, nil, "1") {
          #expect(read.tppName == dictionary["tpp_name"] as? String && read.accounts.isEmpty)
        }
      }
    }
  }
}
