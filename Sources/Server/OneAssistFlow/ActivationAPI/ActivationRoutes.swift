import Foundation
import GatehouseWire
import HTTP
import HTTPTypes
import Hummingbird
import Kit
import OneAssistCore
import OneAssistWire
import Storage

extension HTTPField.Name {
  static let sdkToken = Self("token")!
  static let idempotencyKey = Self("Idempotency-Key")!
  static let idempotencyReplayed = Self("Idempotency-Replayed")!
}

/// `/apigateway/…`: what the SDK calls (oneassist §8).
package struct ActivationRoutes: Sendable {
  private let room: OneAssistService
  private var parts: OneAssistDependencies { room.parts }

  package init(_ room: OneAssistService) { self.room = room }

  package func add(to root: RouterGroup<PublicContext>) {
    let group = root.group("apigateway/subscription-service")
    group.get("order/info", use: orderInfo)
    group.get("lead/activation/documents", use: documents)
    group.post("lead", use: lead)
    group.post("lead/activation/asset/document", use: upload)
    group.post("lead/asset/document/link", use: sendLink)
    group.get("order/hash-key/{activityReference}", use: screenKey)
    group.post("order/hash-key/{activityReference}/events", use: screenEvent)
    root.post("apigateway/pandora-ws/api/v1/image-data", use: recognise)
  }

  @Sendable
  private func orderInfo(_ request: Request, _ context: PublicContext) async throws -> Response {
    let caller = try await caller(request, context)
    let name = request.uri.queryParameters.get("orderUUID")
    let (membership, partner, plan) = try await parts.database.read { [parts] tx in
      let membership = try find(order: name, of: caller, in: tx)
      let store = PartnerStore(tx, vault: parts.vault)
      guard let partner = try store.find(membership.partner) else { throw Problem.notFound }
      return (membership, partner, try store.plan(membership.planCode, of: partner.id))
    }
    return try .oneAssist(OrderViews(parts: parts).order(membership, partner, plan))
  }

  @Sendable
  private func documents(_ request: Request, _ context: PublicContext) async throws -> Response {
    let caller = try await caller(request, context)
    let name = request.uri.queryParameters.get("orderUUID")
    let (membership, photos) = try await parts.database.read { tx in
      let membership = try find(order: name, of: caller, in: tx)
      return (membership, try DocumentStore(tx).current(of: membership.id))
    }
    return try .oneAssist(OrderViews(parts: parts).documents(membership, photos))
  }

  @Sendable
  private func lead(_ request: Request, _ context: PublicContext) async throws -> Response {
    let caller = try await caller(request, context)
    let asked = try await read(OneAssist.LeadRequest.self, request)
    return try .oneAssist(
      await LeadCommands(parts: parts).submit(asked, by: caller.actor) {
        try find(order: asked.orderUUID, of: caller, in: $0)
      })
  }

  @Sendable
  private func upload(_ request: Request, _ context: PublicContext) async throws -> Response {
    let caller = try await caller(request, context)
    let form = try MultipartForm(try await RequestContent(request, limit: OneAssistPolicy.formMax))
    guard let file = form["file"] else { throw Problem.member("/file", "required", "A file is required.") }
    let reference = form.text("activityReferenceId")
    let outcome = try await PhotoCommands(room).upload(
      form.text("name"), file, fromSecond: false, by: caller.actor
    ) { try find(activity: reference, of: caller, in: $0) }
    if let problem = outcome.problem { throw problem }
    return try .oneAssist(
      OneAssist.DocumentAnswer(docId: outcome.photo.id.rawValue, taskInfo: .init(status: outcome.status.rawValue)))
  }

  @Sendable
  private func sendLink(_ request: Request, _ context: PublicContext) async throws -> Response {
    let caller = try await caller(request, context)
    let content = try await RequestContent(request, limit: OneAssistPolicy.bodyMax)
    let asked = try decode(OneAssist.LinkRequest.self, content)
    let (id, token) = (LinkStore.Link.ID(parts.world), parts.secret())
    return try await remembered(request, content, caller) { [parts] tx in
      var membership = try find(order: asked.orderUUID, of: caller, in: tx)
      let standing = membership.status
      do {
        let answer = try LinkCommands(parts: parts).send(
          to: asked.verificationNo, for: &membership, id: id, token: token, by: caller.actor, in: tx)
        return OneAssist.Envelope(answer)
      } catch let problem as Problem { throw problem.standing(standing) }
    }
  }

  @Sendable
  private func screenKey(_ request: Request, _ context: PublicContext) async throws -> Response {
    let caller = try await caller(request, context)
    let reference = context.parameters.get("activityReference")
    let (id, key) = (ScreenStore.Screen.ID(parts.world), Data(parts.world.random(RollingCode.keyBytes)))
    return try .oneAssist(
      await parts.database.write(retrying: .outdated) { [parts] tx in
        let membership = try find(activity: reference, of: caller, in: tx)
        return try ScreenCommands(parts: parts).open(membership, id: id, key: key, by: caller.actor, in: tx)
      })
  }

  @Sendable
  private func screenEvent(_ request: Request, _ context: PublicContext) async throws -> Response {
    let caller = try await caller(request, context)
    let reference = context.parameters.get("activityReference")
    let asked = try await read(OneAssist.ScreenEvent.self, request)
    return try .oneAssist(
      await parts.database.write(retrying: .outdated) { [parts] tx in
        var membership = try find(activity: reference, of: caller, in: tx)
        try ScreenCommands(parts: parts).happened(asked.event, to: &membership, by: caller.actor, in: tx)
        return OneAssist.Standing(taskInfo: .init(status: membership.status.rawValue))
      })
  }

  /// The text of a picture. Nothing of it is kept.
  @Sendable
  private func recognise(_ request: Request, _ context: PublicContext) async throws -> Response {
    let caller = try await caller(request, context)
    try room.rates.spend(parts.policy.recognitions, by: caller.customer)
    let form = try MultipartForm(try await RequestContent(request, limit: OneAssistPolicy.formMax))
    guard let file = form["imageFile"], file.count <= OneAssistPolicy.photoMax else {
      throw Problem.member("/imageFile", "required", "A picture of at most 5 MB is required.")
    }
    guard let recognise = parts.ports.recogniseText else {
      throw Problem.oneAssist(.unavailable, "RECOGNITION_UNAVAILABLE", "No text can be read here.")
    }
    return try .oneAssist(OneAssist.TextAnswer(text: await recognise(file)))
  }

  // MARK: Who and what

  private func caller(_ request: Request, _ context: PublicContext) async throws -> SDKTokens.Caller {
    let bearer = request.headers[.authorization].flatMap { field in
      field.lowercased().hasPrefix("bearer ") ? String(field.dropFirst(7)) : nil
    }
    do { return try await SDKTokens(parts: parts).caller(request.headers[.sdkToken] ?? bearer) } catch {
      if let address = context.clientAddress { try room.rates.spend(parts.policy.refusals, by: address) }
      throw error
    }
  }

  /// Whose it is not, for them it is not there.
  private func find(
    order name: String?, of caller: SDKTokens.Caller, in tx: any SQLTransaction
  ) throws -> Membership {
    guard let name, name.utf8.count <= 128 else { throw Problem.notFound }
    return try owned(MembershipStore(tx, vault: parts.vault).find(order: name), by: caller)
  }

  private func find(
    activity name: String?, of caller: SDKTokens.Caller, in tx: any SQLTransaction
  ) throws -> Membership {
    guard let name, name.utf8.count <= 128 else { throw Problem.notFound }
    return try owned(MembershipStore(tx, vault: parts.vault).find(activityReference: name), by: caller)
  }

  private func owned(_ membership: Membership?, by caller: SDKTokens.Caller) throws -> Membership {
    guard let membership, membership.partner == caller.partner, membership.customer == caller.customer,
      !membership.isErased
    else { throw Problem.notFound }
    return membership
  }

  private func read<Value: Decodable>(_ type: Value.Type, _ request: Request) async throws -> Value {
    try decode(type, try await RequestContent(request, limit: OneAssistPolicy.bodyMax))
  }

  private func decode<Value: Decodable>(_ type: Value.Type, _ content: RequestContent) throws -> Value {
    do { return try WireJSON.decode(type, from: content.bytes) } catch {
      throw Problem(.badRequest, "invalid-json", "The body is not JSON.")
    }
  }

  /// A write that is sent again under its key gets its first answer (§8).
  private func remembered(
    _ request: Request, _ content: RequestContent, _ caller: SDKTokens.Caller,
    _ work: @escaping @Sendable (any SQLTransaction) throws -> OneAssist.Envelope<OneAssist.LinkAnswer>
  ) async throws -> Response {
    guard let key = request.headers[.idempotencyKey] else {
      return try .oneAssist(
        bytes: await parts.database.write(retrying: .outdated) { try WireJSON.encode(try work($0)) })
    }
    guard UUID(uuidString: key) != nil else {
      throw Problem(.badRequest, "missing-header", "Idempotency-Key must be a UUID.")
    }
    let once = Idempotency.Request(
      owner: caller.customer, path: "POST \(request.uri.path)", key: key, body: content.bytes,
      claimant: parts.world.uuid())
    do {
      let (answer, isReplay) = try await parts.database.write(retrying: .outdated) { [parts] tx -> (Data, Bool) in
        switch try parts.idempotency.begin(once, in: tx) {
        case .replay(let answer): return (answer.body, true)
        case .conflict:
          throw Problem(.conflict, "idempotency-conflict", "This Idempotency-Key was used with another body.")
        case .running: throw Problem(.conflict, "step-in-progress", "This request is being worked on.")
        case .fresh:
          let body = try WireJSON.encode(try work(tx))
          try parts.idempotency.store(
            .init(status: 200, contentType: "application/json", body: body), for: once, in: tx)
          return (body, false)
        }
      }
      var response = Response.oneAssist(bytes: answer)
      if isReplay { response.headers[.idempotencyReplayed] = "true" }
      return response
    } catch SQLError.notUnique {
      throw Problem(.conflict, "step-in-progress", "This request is being worked on.")
    }
  }
}

extension Response {
  /// A success, in the envelope of §8.
  static func oneAssist(_ content: some Codable & Sendable & Equatable) throws -> Response {
    oneAssist(bytes: try WireJSON.encode(OneAssist.Envelope(content)))
  }

  static func oneAssist(bytes: Data, status: HTTPResponse.Status = .ok) -> Response {
    Response(
      status: status, headers: [.contentType: "application/json; charset=utf-8"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }
}
