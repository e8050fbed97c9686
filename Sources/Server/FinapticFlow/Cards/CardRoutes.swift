import FinapticWire
import HTTP
import HTTPTypes
import Hummingbird
import Kit

/// `/finaptic/v1/coreCard/…` (finaptic §3.5), and the card processor's one call.
package struct CardRoutes: Sendable {
  private typealias Wire = FinapticAPI

  private let service: FinapticService
  private var dependencies: FinapticDependencies { service.dependencies }
  private var commands: CardCommands { dependencies.cardCommands }

  package init(_ service: FinapticService) { self.service = service }

  package func add(to groups: FinapticRouteGroups) {
    let group = groups.customers.group("coreCard")
    group.post("getCard", use: get)
    group.post("listCards", use: list)
    group.post("createCardSDKSignOnToken", use: makeToken)
    group.post("createAuthorizedUserCard", use: create)
    group.post("lockCard", use: lock)
    group.post("unlockCard", use: unlock)
    groups.keyed.group("cardProcessor").post("showCard", use: show)
  }

  @Sendable
  private func get(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    let caller = FinapticCustomer(context)
    return try await service.ask(request, Wire.CardRequest.self) { [dependencies, commands] asked in
      try await dependencies.core.database.read { try commands.get(asked, for: caller, in: $0) }
    }
  }

  @Sendable
  private func list(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    let caller = FinapticCustomer(context)
    return try await service.ask(request, Wire.PageRequest.self) { [dependencies, commands] asked in
      try await dependencies.core.database.read { try commands.list(asked, for: caller, in: $0) }
    }
  }

  @Sendable
  private func create(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    let (caller, id) = (FinapticCustomer(context), PaymentCard.ID(rawValue: dependencies.core.world.randomUUID()))
    return try await service.change(
      request, context, Wire.CreateAuthorizedUserCardRequest.self, isolation: .readCommitted
    ) { [commands] in
      try commands.create($0, id: id, by: caller, in: $1)
    }
  }

  @Sendable
  private func lock(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    try await setLocked(true, request, context)
  }

  @Sendable
  private func unlock(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    try await setLocked(false, request, context)
  }

  private func setLocked(
    _ isLocked: Bool, _ request: Request, _ context: FinapticCustomerContext
  ) async throws -> Response {
    let caller = FinapticCustomer(context)
    return try await service.change(request, context, Wire.CardRequest.self, isolation: .readCommitted) { [commands] in
      try commands.setLocked(isLocked, $0, by: caller, in: $1)
    }
  }

  // MARK: Showing the number

  @Sendable
  private func makeToken(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    let (caller, token) = (FinapticCustomer(context), "fnc_" + dependencies.core.secret())
    return try await service.change(request, context, Wire.CardRequest.self) { [dependencies] in
      try dependencies.cardSignOn.make($0, token: token, by: caller, key: context.key, in: $1)
    }
  }

  /// Never remembered for a repetition, whatever its headers say: the answer is a card's number.
  @Sendable
  private func show(_ request: Request, _ context: FinapticContext) async throws -> Response {
    try await service.guardingLinks(of: context.clientAddress) {
      var response = try await service.repeatableChange(request, Wire.ShowCardRequest.self) { [dependencies] asked in
        try await dependencies.core.database.write(retrying: .outdated) {
          try dependencies.cardSignOn.show(asked, key: context.key, in: $0)
        }
      }
      response.headers[.cacheControl] = "no-store"
      return response
    }
  }
}
