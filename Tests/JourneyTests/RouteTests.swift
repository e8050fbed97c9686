// SPDX-License-Identifier: Apache-2.0

import HTTP
import OpenAPISupport
import PowerAuthCore
import Testing

@testable import GatehouseApp

@Suite("Journey: the router and the API's description", .onOneEngine)
struct RouteTests {
  /// Spellings that are taken but not advertised (rubix-onboarding §2).
  private static let aliases =
    [
      "POST /api/v1/onboarding/documents/national-id-front/upload",
      "POST /api/v1/onboarding/documents/national-id-front/process",
      "POST /api/v1/onboarding/documents/national-id-back/upload",
      "POST /api/v1/onboarding/documents/national-id-back/process",
    ]
    + PowerAuthEndpoint.allCases.flatMap { endpoint in
      // PowerAuth's calls are described below the standard base and taken without it, too.
      (endpoint == .validateSignature ? ["DELETE", "GET", "POST", "PUT"] : ["POST"]).map {
        "\($0) \(endpoint.rawValue)"
      }
    }

  @Test("every route is described, but for the aliases, and everything described is served")
  func bothWays() async throws {
    try await JourneyTestApp.run { journey in
      let routes = journey.app.router().routes.map { (method: $0.method.rawValue, path: $0.path.description) }
      let document = try OpenAPIDocument.published.get()
      #expect(document.undocumented(in: routes) == Self.aliases.sorted())
      #expect(document.missing(in: routes) == [])
    }
  }
}
