import FinapticWire
import HTTP
import HTTPTypes
import Hummingbird
import Kit

/// `/finaptic/v1/coreCard/…` (finaptic §3.5), and the card processor's one call.
package struct CardRoutes: Sendable {
  private typealias Wire = FinapticAPI

  private let room: FinapticService
  private var parts: FinapticDependencies { room.parts }
  private var commands: CardCommands { parts.cardCommands }

  package init(_ room: FinapticService) { self.room = room }

  package func add(to doors: FinapticRouteGroups) {
    let group = doors.customers.group("coreCard")
    group.post("getCard", use: get)
    group.post("listCards", use: list)
    group.post("createCardSDKSignOnToken", use: makeToken)
    group.post("createAuthorizedUserCard", use: create)
    group.post("lockCard", use: lock)
    group.post("unlockCard", use: unlock)
    doors.keyed.group("cardProcessor").post("showCard", use: show)
  }

  @Sendable
  private func get(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    let caller = FinapticCustomer(context)
    return try await room.ask(request, Wire.CardRequest.self) { [parts, commands] asked in
      try await parts.core.database.read { try commands.get(asked, for: caller, in: $0) }
    }
  }

  @Sendable
  private func list(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    let caller = FinapticCustomer(context)
    return try await room.ask(request, Wire.PageRequest.self) { [parts, commands] asked in
      try await parts.core.database.read { try commands.list(asked, for: caller, in: $0) }
    }
  }

  @Sendable
  private func create(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    let (caller, id) = (FinapticCustomer(context), PaymentCard.ID(rawValue: parts.core.world.randomUUID()))
    return try await room.change(
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
    return try await room.change(request, context, Wire.CardRequest.self, isolation: .readCommitted) { [commands] in
      try commands.setLocked(isLocked, $0, by: caller, in: $1)
    }
  }

  // MARK: Showing the number

  @Sendable
  private func makeToken(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    let (caller, token) = (FinapticCustomer(context), "fnc_" + parts.core.secret())
    return try await room.change(request, context, Wire.CardRequest.self) { [parts] in
      try parts.cardSignOn.make($0, token: token, by: caller, key: context.key, in: $1)
    }
  }

  /// Never remembered for a repetition, whatever its headers say: the answer is a card's number.
  @Sendable
  private func show(_ request: Request, _ context: FinapticContext) async throws -> Response {
    try await room.guardingLinks(of: context.clientAddress) {
      var response = try await room.repeatableChange(request, Wire.ShowCardRequest.self) { [parts] asked in
        try await parts.core.database.write(retrying: .outdated) {
          try parts.cardSignOn.show(asked, key: context.key, in: $0)
        }
      }
      response.headers[.cacheControl] = "no-store"
      return response
    }
  }
}
