// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import HTTP
import Hummingbird
import Kit

/// `address`: addresses while they are typed (finaptic §3.3, §8.2).
package struct AddressRoutes: Sendable {
  /// Of one application: apps wait until people pause.
  static let rate = RateLimit("finaptic-suggestions", 10, per: .seconds(1))

  let calls: FinapticCalls
  let rates: NodeRateLimits
  let applications: OnboardingService
  let library: FinapticLibrary

  package func add(to groups: FinapticRouteGroups) { groups.open.post("address/getSuggestions", use: suggestions) }

  @Sendable
  private func suggestions(_ request: Request, _ context: FinapticContext) async throws -> Response {
    let asked = try await calls.body(request, FinapticAPI.AddressSuggestionsRequest.self)
    var check = InputCheck()
    let id = check.id(asked.onboardingApplicationId, "onboardingApplicationId")
    let type = check.code(asked.addressType, "addressType", of: ReferenceType.addressType, in: library.catalogue)
    let pattern = check.text(asked.pattern, "pattern", max: AddressIndex.patternMax)
    try check.end()
    guard let id, let type else { throw Problem.unexpected }
    _ = try await calls.core.database.read { try applications.find(id, for: .init(context), in: $0) }
    try rates.spend(Self.rate, by: "\(context.tenant.id) \(id)")
    let index = try library.addresses.index()
    let found = pattern.flatMap { pattern in index?.search(pattern) } ?? []
    return try Response.json(FinapticAPI.AddressSuggestionsResponse(suggestions: found.map { $0.wire(type: type) }))
  }
}
