import FinapticWire
import HTTP
import Hummingbird
import Kit

/// `address`: addresses while they are typed (finaptic §3.3, §8.2).
package struct AddressRoutes: Sendable {
  /// Of one application: apps wait until people pause.
  static let rate = RateLimit("finaptic-suggestions", 10, per: .seconds(1))

  /// Whether the caller may see an application: throws when there is none, or it is another user's.
  package typealias Admission = @Sendable (_ application: String, _ caller: FinapticContext) async throws -> Void

  private let room: FinapticService
  private let admit: Admission

  package init(_ room: FinapticService, admit: @escaping Admission) { (self.room, self.admit) = (room, admit) }

  package func add(to doors: FinapticRouteGroups) { doors.open.post("address/getSuggestions", use: suggestions) }

  @Sendable
  private func suggestions(_ request: Request, _ context: FinapticContext) async throws -> Response {
    try await room.ask(request, FinapticAPI.AddressSuggestionsRequest.self) { asked in
      var check = InputCheck()
      let id = check.id(asked.onboardingApplicationId, "onboardingApplicationId")
      let type = check.code(
        asked.addressType, "addressType", of: ReferenceType.addressType, in: room.parts.library.catalogue)
      let pattern = check.text(asked.pattern, "pattern", max: AddressIndex.patternMax)
      try check.end()
      guard let id, let type else { throw Problem.unexpected }
      try await admit(id, context)
      try room.rates.spend(Self.rate, by: "\(context.tenant.id) \(id)")
      let index = try room.parts.library.addresses.index()
      let found = pattern.flatMap { pattern in index?.search(pattern) } ?? []
      return FinapticAPI.AddressSuggestionsResponse(suggestions: found.map { $0.wire(type: type) })
    }
  }
}
