// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import HTTPTypes
import Hummingbird
import Kit
import NIOCore
import Scheduling

/// What the pages of calls work with.
package struct CallService: Sendable {
  let calls: BrowserCalls
  let source: any CallSource
  let events: ServerSentEvents
  let ice: ICEServers
  let core: CoreDependencies

  package init(
    _ calls: BrowserCalls, source: any CallSource, events: ServerSentEvents, ice: ICEServers, core: CoreDependencies
  ) {
    (self.calls, self.source, self.events, self.ice, self.core) = (calls, source, events, ice, core)
  }
}

/// What a browser in a call posts. Each verb takes the members that it needs.
struct CallMessage: Decodable {
  /// A description of 16 KiB as text of JSON in JSON.
  static let bytesMax = 64 * 1024

  let csrf: String?
  let seat: Int64?
  let kind: CallSignal?
  let body: String?
  /// Whether the customer agrees that the call is recorded, where it is.
  let recording: Bool?

  static func read(_ request: Request) async throws -> CallMessage {
    try await RequestContent(request, limit: bytesMax).decode(as: CallMessage.self)
  }
}

extension CallService {
  private struct Joined: Encodable {
    let seat: Int64
    let position: Int64
    let isOtherThere: Bool
    let iceServers: [ICEServers.Server]
    let iceTransportPolicy: String

    enum CodingKeys: String, CodingKey {
      case seat, position
      case isOtherThere = "is_other_there"
      case iceServers = "ice_servers"
      case iceTransportPolicy = "ice_transport_policy"
    }
  }

  func join(_ party: CallParty, agreesToRecording: Bool = false) async throws -> Response {
    let joined = try await calls.join(party, agreesToRecording: agreesToRecording)
    let user = core.vault.digest("\(party.call) \(party.side.rawValue)", for: "turn user").prefix(16)
    return try Response.json(
      Joined(
        seat: joined.seat, position: joined.position, isOtherThere: joined.isOtherThere,
        iceServers: ice.list(for: String(user), at: core.world.wall()),
        iceTransportPolicy: ice.isRelayOnly ? "relay" : "all"))
  }

  func signal(_ message: CallMessage, by party: CallParty) async throws -> Response {
    guard let seat = message.seat, let kind = message.kind, let body = message.body else {
      throw Problem.validation([.init("/kind", "required", "A note has a seat, a kind and a body.")])
    }
    try await calls.signal(kind, body, by: party, seat: seat)
    return Response(status: .noContent)
  }

  func connected(_ message: CallMessage, _ party: CallParty) async throws -> Response {
    try await calls.connected(party, seat: message.seat ?? 0)
    return Response(status: .noContent)
  }

  func leave(_ message: CallMessage, _ party: CallParty) async throws -> Response {
    try await calls.leave(party, seat: message.seat ?? 0)
    return Response(status: .noContent)
  }

  /// What the other side does, as server-sent events.
  /// - Parameter mayRead: asked before anything is told: descriptions and candidates name addresses of the other side.
  func liveEvents(
    _ request: Request, _ party: CallParty, asLongAs mayRead: @escaping @Sendable () async throws -> Bool = { true }
  ) async throws -> Response {
    let query = request.uri.queryParameters
    guard let seat = query.get("seat").flatMap({ Int64($0) }),
      let after = (request.headers[.lastEventID] ?? query.get("after")).flatMap({ Int64($0) })
    else { throw Problem.notFound }
    try await calls.requireSeat(party, seat)
    return try events.answer("call \(party.call) \(party.side.rawValue)", atMost: 3, from: after) { [calls] in
      EventFeed { position, limit in
        let (changes, next) = try await calls.changes(for: party, seat: seat, after: position, atMost: limit)
        return EventFeed.Page(
          try changes.map { number, told in
            EventFeed.Event(number: number, kind: told.name, data: try told.data())
          }, position: next, isLast: changes.contains { $0.1.isLast })
      }.asLong(as: mayRead)
    }
  }
}

extension CallEvent {
  fileprivate var name: String {
    switch self {
    case .joined: "joined"
    case .signal: "signal"
    case .left: "left"
    case .ended: "ended"
    case .replaced: "replaced"
    }
  }

  fileprivate func data() throws -> Data {
    guard case .signal(let kind, let body) = self else { return Data("{}".utf8) }
    return try JSONEncoder().encode(["kind": kind.rawValue, "body": body])
  }
}

extension Response {
  /// Lets the page of a call ask for camera and microphone, which no other page of ours may (Permissions Policy §5).
  func allowingCamera() -> Response {
    var response = self
    response.headers[.permissionsPolicy] = "camera=(self), microphone=(self)"
    return response
  }
}

/// `/call/{token}`: where a customer joins (rubix-onboarding §6.13). The link opens one call, around its time; the
/// browser that joins gets a secret of its own, so that another one with the same link cannot speak for it unseen.
package struct CallRoutes: Sendable {
  package static let base = "/call"
  private static let cookie = "gatehouse_call"

  private let service: CallService
  private let isSecure: Bool

  /// - Parameter isSecure: whether pages are reached over HTTPS only.
  package init(_ service: CallService, isSecure: Bool) { (self.service, self.isSecure) = (service, isSecure) }

  package func add(to group: RouterGroup<PublicContext>) {
    group.get("call/{token}", use: page)
    group.post("call/{token}/join", use: join)
    group.get("call/{token}/events") { [service] request, context in
      try await service.liveEvents(request, try party(request, context))
    }
    group.post("call/{token}/signals") { [service] request, context in
      let party = try party(request, context)
      return try await service.signal(try await CallMessage.read(request), by: party)
    }
    group.post("call/{token}/connected") { [service] request, context in
      let party = try party(request, context)
      return try await service.connected(try await CallMessage.read(request), party)
    }
    group.post("call/{token}/leave") { [service] request, context in
      let party = try party(request, context)
      return try await service.leave(try await CallMessage.read(request), party)
    }
  }

  @Sendable
  private func page(_ request: Request, _ context: PublicContext) async throws -> Response {
    let token = try context.parameters.require("token")
    let look = try await service.calls.look(.customer(try call(context), secret: ""))
    let page = CustomerCallPage(look, path: "\(Self.base)/\(token)")
    return try page.response().allowingCamera()
  }

  @Sendable
  private func join(_ request: Request, _ context: PublicContext) async throws -> Response {
    let (call, sent) = (try call(context), request.cookie(Self.cookie, isSecure: isSecure))
    let secret = sent?.utf8.count == 43 ? sent ?? "" : Data(service.core.world.random(32)).base64URL
    let message = try await CallMessage.read(request)
    var response = try await service.join(
      .customer(call, secret: secret), agreesToRecording: message.recording == true)
    response.setCookie(
      HostCookie.make(
        Self.cookie, secret, maxAge: 4 * 3600, path: Self.base, isSecure: isSecure, sameSite: .strict))
    return response
  }

  private func call(_ context: PublicContext) throws -> Appointment.ID {
    guard let call = CallLink.call(of: try context.parameters.require("token"), service.core.vault) else {
      throw Problem.notFound
    }
    return call
  }

  /// A form of another site comes without the cookie (SameSite=Strict), and is of no party then.
  private func party(_ request: Request, _ context: PublicContext) throws -> CallParty {
    guard let secret = request.cookie(Self.cookie, isSecure: isSecure), !secret.isEmpty else { throw Problem.notFound }
    return .customer(try call(context), secret: secret)
  }
}
