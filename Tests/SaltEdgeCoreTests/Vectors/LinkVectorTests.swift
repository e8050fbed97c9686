// SPDX-License-Identifier: Apache-2.0

import Foundation
import SaltEdgeCore
import Testing

private let linkFile = "deeplinks.json"

@Suite("Salt Edge vectors: deep links", SampleFolder.suite(linkFile))
struct DeepLinkVectorTests {
  struct Vector: Decodable, Sendable {
    let link: String
    let ios_valid: Bool
    let kind, configuration, api_version, connect_query: String?
    let action_uuid, connect_url, action_id, provider_id, return_to: String?
  }

  @Test(
    "valid where iOS finds it valid, and with the same parts",
    arguments: SampleFolder.cases(linkFile, [Vector].self) { $0 })
  func link(_ sample: Sample<Vector>) throws {
    let vector = try sample.read()
    guard vector.ios_valid else {
      #expect(throws: SaltEdgeError.malformed(.deepLink)) { try DeepLink(text: vector.link) }
      return
    }
    let link = try DeepLink(text: vector.link)
    #expect(try DeepLink(text: link.text) == link)
    guard let kind = vector.kind else { return }
    switch link {
    case .connect(let connect):
      #expect(kind == "connect")
      #expect(connect.configuration.absoluteString == vector.configuration)
      #expect(connect.connectQuery == vector.connect_query)
      #expect(String(connect.apiVersion) == vector.api_version)
    case .action(let action):
      #expect(kind == "action")
      #expect(String(action.apiVersion) == vector.api_version)
      #expect(action.returnTo?.absoluteString == vector.return_to)
      switch action.target {
      case .v1(let actionUUID, let connectURL):
        #expect(actionUUID == vector.action_uuid && connectURL.absoluteString == vector.connect_url)
      case .v2(let actionID, let providerID):
        #expect(actionID == vector.action_id && providerID == vector.provider_id)
      }
    }
  }
}

extension ReturnRedirect {
  /// Whether it is written as that address is; which letters are percent-encoded and in what order the members stand
  /// is the writer's choice.
  func says(_ url: String) -> Bool {
    func parts(_ url: String) -> [String] {
      let halves = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
      let members = halves.dropFirst().flatMap { $0.split(separator: "&") }
      return (halves.prefix(1) + members).map { $0.removingPercentEncoding ?? String($0) }.sorted()
    }
    return parts(self.url(returnURL: Self.returnURL)) == parts(url)
  }
}

@Suite("Salt Edge vectors: messages", SampleFolder.suite("v1/messages.json"))
struct MessageVectorTests {
  struct V1: Decodable {
    struct Creation: Decodable {
      struct Request: Decodable {
        struct Content: Decodable {
          let public_key: String
        }
        let data: Content
      }
      let request: Request
    }
    struct Failure: Decodable {
      struct Body: Decodable {
        let error_class: String
      }
      let body: Body
    }
    let return_url_success, return_url_failure: String
    let create_connection_redirect: Creation
    let error: Failure
  }
  struct V2: Decodable {
    struct Configuration: Decodable {
      struct Content: Decodable {
        let provider_public_key: String
      }
      let data: Content
    }
    let return_url_failure: String
    let configuration: Configuration
  }

  @Test("redirects are read, and written as they are read")
  func redirects() throws {
    let v1: V1 = try SampleFolder.json("v1/messages.json")
    let success = try ReturnRedirect(url: v1.return_url_success)
    guard case .authenticated(let token, let connectionID?) = success else {
      Issue.record("no success")
      return
    }
    #expect(!token.isEmpty && !connectionID.isEmpty)
    #expect(success.says(v1.return_url_success))
    var failures = [v1.return_url_failure]
    if SampleFolder.data("v2/messages.json") != nil {
      failures.append(try SampleFolder.json("v2/messages.json", V2.self).return_url_failure)
    }
    for text in failures {
      let failure = try ReturnRedirect(url: text)
      guard case .failed = failure else {
        Issue.record("no failure")
        continue
      }
      #expect(failure.says(text))
    }
  }

  @Test("keys within messages are read and written alike")
  func keys() throws {
    let v1: V1 = try SampleFolder.json("v1/messages.json")
    var keys = [v1.create_connection_redirect.request.data.public_key]
    if SampleFolder.data("v2/messages.json") != nil {
      keys.append(try SampleFolder.json("v2/messages.json", V2.self).configuration.data.provider_public_key)
    }
    for pem in keys { #expect(try RSAPublicKey(pem: pem).pem == pem) }
  }

  @Test("errors have the classes of the wire")
  func errors() throws {
    let v1: V1 = try SampleFolder.json("v1/messages.json")
    let ours = [SaltEdgeError.signatureMissing, .signatureExpired, .invalidSignature, .undecryptable].map(\.errorClass)
    if v1.error.body.error_class.contains("Signature") { #expect(ours.contains(v1.error.body.error_class)) }
  }
}
