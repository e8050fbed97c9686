// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import HummingbirdTesting
import TestSupport
import Testing

@testable import GatehouseApp

@Suite("What is for this machine only is not passed on by a proxy on it")
struct LocalClientTests {
  @Test("a request that a proxy passed on sees no messages, also where no setting names the proxy")
  func proxies() async throws {
    let fields = [
      "Forwarded": "for=127.0.0.1", "Via": "1.1 proxy", "X-Forwarded-For": "127.0.0.1", "X-Forwarded-Host": "a.example",
      "X-Forwarded-Proto": "https", "X-Real-IP": "127.0.0.1", "X-Client-IP": "::1", "True-Client-IP": "127.0.0.1",
      "CF-Connecting-IP": "127.0.0.1",
    ]
    try await JourneyTestApp.run { journey in
      try await Hummingbird.Application(router: journey.app.router()).test(.router) { client in
        for path in ["/dev/outbox", "/dev/outbox.json"] {
          let status = try await client.execute(uri: path, method: .get).status
          #expect(status == .ok, "\(path)")
          for (name, value) in fields {
            let field = try #require(HTTPField.Name(name))
            let status = try await client.execute(uri: path, method: .get, headers: [field: value]).status
            #expect(status == .notFound, "\(path) \(name)")
          }
        }
      }
    }
  }
}
