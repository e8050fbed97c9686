// SPDX-License-Identifier: Apache-2.0

import Casework
import Foundation
import HTTP
import HTTPTypes
import Hummingbird
import Identity
import Kit

/// `/console/queue/…`: what waits for people, and the case that a member of staff has in hand. The rules are those of
/// `CaseCommands`; a button that is not shown is no rule.
package struct QueueRoutes: Sendable {
  package static let base = "\(StaffRoutes.base)/queue"
  /// Answers with live events to one member at a time.
  private static let readersMax = 4

  /// What the pages work with.
  package struct Dependencies: Sendable {
    let commands: CaseCommands
    let sources: [CaseKind: any CaseSource]
    let events: ServerSentEvents

    package init(_ commands: CaseCommands, sources: [CaseKind: any CaseSource], events: ServerSentEvents) {
      (self.commands, self.sources, self.events) = (commands, sources, events)
    }
  }

  private let signIn: StaffSignIn
  private let commands: CaseCommands
  private let sources: [CaseKind: any CaseSource]
  private let events: ServerSentEvents

  package init(_ signIn: StaffSignIn, _ dependencies: Dependencies) {
    (self.signIn, commands, sources) = (signIn, dependencies.commands, dependencies.sources)
    events = dependencies.events
  }

  package func add(to root: RouterGroup<PublicContext>) {
    let group = root.group(RouterPath(Self.base))
    group.get("", use: page { visit, request, _ in try await list(visit, request) })
    group.post("next", use: page { visit, request, _ in try await next(visit, request) })
    group.get("events", use: liveEvents)
    group.get("cases/{case}", use: page { visit, _, parameters in try await show(visit, Self.id(parameters)) })
    group.get("cases/{case}/pictures/{number}", use: page(picture))
    group.get("cases/{case}/receipts/{receipt}", use: page(receipt))
    group.get("cases/{case}/receipts/{receipt}/page", use: page(receiptPage))
    group.get("cases/{case}/receipts/{receipt}/pdf", use: page(receiptPaper))
    group.post(
      "cases/{case}/claim",
      use: change { item, _, caller in
        _ = try await commands.claim(item, by: caller.worker)
        return Self.path(of: item)
      })
    group.post(
      "cases/{case}/release",
      use: change { item, form, caller in
        _ = try await commands.release(item, why: form["why"] ?? "", by: caller.worker)
        return Self.base
      })
    group.post(
      "cases/{case}/hand-over",
      use: change { item, form, caller in
        _ = try await commands.handOver(item, to: form["to"] ?? "", why: form["why"] ?? "", by: caller.worker)
        return Self.base
      })
    group.post(
      "cases/{case}/notes",
      use: change { item, form, caller in
        _ = try await commands.note(form["text"] ?? "", on: item, by: caller.worker)
        return Self.path(of: item)
      })
    group.post("cases/{case}/decision", use: change(decide))
  }

  static func path(of item: Case.ID) -> String { "\(base)/cases/\(item)" }

  // MARK: Pages

  private func list(_ visit: StaffVisit, _ request: Request) async throws -> Response {
    let worker = CaseWorker(visit.member)
    func value(_ name: String) -> String? { request.uri.queryParameters.get(name).flatMap { $0.isEmpty ? nil : $0 } }
    var query = CaseQuery()
    if let kind = value("kind").map({ CaseKind(rawValue: $0) }), CaseKind.known.contains(kind) { query.kinds = [kind] }
    let (names, chosen) = (try await commands.colleagues(of: worker), value("colleague"))
    let colleague = names.first { $0.id.rawValue == chosen }
    // Who is named counts before "mine".
    let show = chosen != nil && value("show") == "mine" ? nil : value("show")
    (query.isOverdue, query.state) = (show == "overdue", show == "open" ? .open : nil)
    // Who is not known holds nothing.
    query.holder = chosen != nil ? colleague?.actor ?? "" : show == "mine" ? worker.actor : nil
    let (tenant, id) = (value("tenant"), value("id")?.trimmingCharacters(in: .whitespaces).lowercased())
    if [tenant, id].compactMap(\.self).allSatisfy(CaseQuery.isName) {
      (query.tenant, query.id) = (tenant, id)
    } else {
      query.holder = ""
    }
    query.after = value("after").flatMap { CaseCursor(text: $0) }
    let page = try await commands.page(query, for: worker)
    let asked = QueuePage.Asked(
      show: show, colleague: colleague, tenant: tenant, id: id, isRefused: value("none") != nil)
    return try QueuePage(page, query, asked, names: names, worker, for: visit).response()
  }

  private func next(_ visit: StaffVisit, _ request: Request) async throws -> Response {
    let form = try await StaffForm.read(request, csrf: visit.csrf)
    let kinds = form["kind"].flatMap { $0.isEmpty ? nil : [CaseKind(rawValue: $0)] } ?? []
    let item = try await commands.next(of: kinds, by: CaseWorker(visit.member))
    return StaffRoutes.redirect(item.map { Self.path(of: $0.id) } ?? "\(Self.base)?none=1")
  }

  private func show(
    _ visit: StaffVisit, _ id: Case.ID, refused: CaseFilePage.Refusal? = nil, status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    let worker = CaseWorker(visit.member)
    let file = try await commands.file(id, for: worker)
    let names = try await commands.colleagues(of: worker)
    var material: CaseDetails?
    if let source = sources[file.item.kind] {
      do {
        material = try await source.material(of: file.item, for: CaseCaller(visit))
      } catch let problem as Problem where problem == .notFound {
        // Its system keeps nothing of what is decided, or this member may hold the case and not see what is in it.
      }
    }
    return try CaseFilePage(
      file, material, names: names, at: commands.caseService.now, refused: refused, for: visit
    ).response(status: status)
  }

  @Sendable
  private func picture(_ visit: StaffVisit, _ request: Request, _ parameters: Parameters) async throws -> Response {
    let worker = CaseWorker(visit.member)
    let (item, why) = try await commands.look(at: Self.id(parameters), for: worker)
    guard let number = parameters.get("number").flatMap({ Int($0) }), let source = sources[item.kind] else {
      throw Problem.notFound
    }
    return Response.image(try await source.picture(number, of: item, for: CaseCaller(visit, why: why)))
  }

  @Sendable
  private func receipt(_ visit: StaffVisit, _ request: Request, _ parameters: Parameters) async throws -> Response {
    let receipt = try await kept(visit, parameters)
    return Response.attachment(
      receipt.document, "application/json; charset=utf-8", named: "receipt-\(receipt.id).json")
  }

  /// The same for the printer.
  @Sendable
  private func receiptPage(
    _ visit: StaffVisit, _ request: Request, _ parameters: Parameters
  ) async throws -> Response {
    try await paper(visit, parameters).response()
  }

  /// The same as a file.
  @Sendable
  private func receiptPaper(
    _ visit: StaffVisit, _ request: Request, _ parameters: Parameters
  ) async throws -> Response {
    let page = try await paper(visit, parameters)
    return Response.attachment(try page.paper.pdf(), "application/pdf", named: "receipt-\(page.id).pdf")
  }

  private func paper(_ visit: StaffVisit, _ parameters: Parameters) async throws -> ReceiptPage {
    let receipt = try await kept(visit, parameters)
    let names = try await commands.colleagues(of: CaseWorker(visit.member))
    return try ReceiptPage(receipt, at: Self.path(of: Self.id(parameters)), names: names, for: visit)
  }

  private func kept(_ visit: StaffVisit, _ parameters: Parameters) async throws -> CaseReceipt {
    try await commands.receipt(
      .init(rawValue: parameters.requireUUID("receipt")), of: Self.id(parameters), for: CaseWorker(visit.member))
  }

  /// Decides in the system that the case comes from, then goes on with the next one where the form asks for it.
  @Sendable
  private func decide(_ id: Case.ID, _ form: FormFields, _ caller: CaseCaller) async throws -> String {
    let worker = caller.worker
    let item = try await commands.item(id, for: worker)
    guard let source = sources[item.kind] else { throw Problem.notFound }
    guard item.holder == worker.actor else { throw item.holder == nil ? Problem.caseNotHeld : Problem.caseHeld }
    switch try await source.decide(CaseAnswer(form), on: item, by: caller) {
    case .part: return Self.path(of: id)
    case .needsAnother:
      // The colleague whose word is needed finds it in the queue.
      if try await commands.item(id, for: worker).holder == worker.actor {
        _ = try await commands.release(id, why: "second-person", by: worker)
      }
      return Self.base
    case .whole:
      guard form["then"] == "next" else { return Self.path(of: id) }
      let next = try await commands.next(of: [item.kind], ownCallFirst: true, by: worker)
      return next.map { Self.path(of: $0.id) } ?? Self.base
    }
  }

  // MARK: Live events

  @Sendable
  private func liveEvents(_ request: Request, _ context: PublicContext) async throws -> Response {
    guard let visit = try await signIn.visit(request) else { throw Problem.notFound }
    let worker = CaseWorker(visit.member)
    // The page says as of when it is, so that nothing is missed between.
    let seen = (request.headers[.lastEventID] ?? request.uri.queryParameters.get("after")).flatMap { Int64($0) }
    let present = try await commands.position(for: worker)
    return try events.answer(worker.actor, atMost: Self.readersMax, from: seen ?? present) { [commands, signIn] in
      EventFeed { position, limit in
        switch try await commands.events(after: position, atMost: limit, for: worker) {
        case .events(let events):
          let last = events.last?.sequence ?? position
          let changed = events.isEmpty ? [] : [EventFeed.Event(number: last, kind: "changed", data: Data("{}".utf8))]
          return EventFeed.Page(changed, position: last, isLast: false)
        case .expired:
          let present = try await commands.position(for: worker)
          let changed = EventFeed.Event(number: present, kind: "changed", data: Data("{}".utf8))
          return EventFeed.Page([changed], position: present, isLast: false)
        }
      }.asLong { try await signIn.mayStillRead(visit, nil) }
    }
  }

  // MARK: Who calls

  private typealias Change = @Sendable (Case.ID, FormFields, CaseCaller) async throws -> String

  private func page(_ show: @escaping StaffSignIn.Show) -> StaffSignIn.Handler {
    signIn.page(for: nil, refreshes: true, show)
  }

  /// A form of a case page. What is refused is said on the page of the case.
  private func change(_ work: @escaping Change) -> StaffSignIn.Handler {
    page { visit, request, parameters in
      let id = try Self.id(parameters)
      let form = try await StaffForm.read(request, csrf: visit.csrf)
      do {
        return StaffRoutes.redirect(try await work(id, form, CaseCaller(visit)))
      } catch let problem as Problem where [.conflict, .unprocessable, .forbidden].contains(problem.category) {
        let refused = CaseFilePage.Refusal(
          answer: CaseAnswer(form), note: form["text"] ?? "", fault: Phrase(firstOf: problem))
        return try await self.show(visit, id, refused: refused, status: problem.status)
      }
    }
  }

  private static func id(_ parameters: Parameters) throws -> Case.ID {
    Case.ID(rawValue: try parameters.requireUUID("case"))
  }
}
