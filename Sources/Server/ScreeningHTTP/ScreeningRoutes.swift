// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import HTTP
import HTTPTypes
import Hummingbird
import Identity
import Kit
import NIOCore
import Screening
import Storage

/// What other servers of an institution call, `/v1/screening/…`: searches of the lists, and entries of them. Both need
/// the scope `screen`.
///
/// Every answer names the versions of the lists that were searched, the matcher and its thresholds. When the lists
/// cannot be searched there is a problem and no answer, so that nothing reads as clean that was not looked for.
package struct ScreeningRoutes: Sendable {
  /// Bytes of a request: a thousand queries of a kilobyte.
  private static let bodyMax = 1024 * 1024
  /// Bytes of answers that are sent together.
  private static let pieceMax = 32 * 1024

  private let source: ScreeningSource
  private let database: any SQLDatabase
  private let audit: Audit
  private typealias Context = ClientContext<ServiceClient>

  package init(_ source: ScreeningSource, database: any SQLDatabase, audit: Audit) {
    (self.source, self.database, self.audit) = (source, database, audit)
  }

  package func add(to group: RouterGroup<ClientContext<ServiceClient>>) {
    group.post("match", use: match)
    group.get("entities/{id}", use: entity)
  }

  /// One query is answered as JSON, a batch as JSON lines that are sent as they are found.
  @Sendable
  private func match(_ request: Request, _ context: Context) async throws -> Response {
    let client = context.client
    try client.require(.screen)
    let asked = try await RequestContent(request, limit: Self.bodyMax, from: client.id.rawValue)
      .decode(as: MatchRequest.self)
    let index = try await index()
    let order = try asked.order(index.countries)
    let search = try MatchSearch(index, source.policy, limit: order.limit)
    // Before the first answer leaves: what was told is on record, whatever becomes of the connection.
    try await record(order, search, by: client)
    guard order.isBatch else { return try Response.json(search.answer(order.queries[0], row: 0)) }
    return Response(
      status: .ok, headers: [.contentType: "application/jsonl; charset=utf-8"],
      body: ResponseBody { writer in
        try await Self.answer(order.queries, search) { try await writer.write($0) }
        try await writer.finish(nil)
      })
  }

  /// Answers a batch in pieces. After each query it leaves its thread to other requests: a batch takes seconds, and as
  /// many as there are processors would let everything else wait.
  static func answer(
    _ queries: [MatchOrder.Query], _ search: MatchSearch, _ write: (ByteBuffer) async throws -> Void
  ) async throws {
    var piece = ByteBuffer()
    for (number, query) in queries.enumerated() {
      piece.writeBytes(try WireJSON.encode(search.answer(query, row: number)))
      piece.writeInteger(UInt8(ascii: "\n"))
      await Task.yield()
      guard piece.readableBytes >= pieceMax else { continue }
      try await write(piece)
      piece.clear()
    }
    if piece.readableBytes > 0 { try await write(piece) }
  }

  @Sendable
  private func entity(_ request: Request, _ context: Context) async throws -> Response {
    try context.client.require(.screen)
    let reference = context.parameters.get("id")?.removingPercentEncoding ?? ""
    let list = request.uri.queryParameters.get("list")
    let index = try await index()
    guard !reference.isEmpty else { throw Problem.notFound }
    let found = index.entries(withReference: reference).filter { list == nil || $0.list.code == list }
    guard !found.isEmpty else { throw Problem.notFound }
    return try Response.json(EntitiesView(entities: found.map { EntityView($0.entry, of: $0.list) }))
  }

  /// - Throws: `Problem` unavailable when there is nothing to search, or it cannot be read.
  private func index() async throws -> ScreeningIndex {
    do { return try await source.index() } catch is ScreeningFolder.Fault {
      throw Problem(
        .unavailable, Problem.unavailable.code, "The screening lists cannot be searched now: nothing was decided.")
    }
  }

  /// A line for each call, with codes and counts only.
  private func record(_ order: MatchOrder, _ search: MatchSearch, by client: ServiceClient) async throws {
    let lists = search.lists.map { "\($0.code) \($0.version)" }.joined(separator: ", ")
    let facts = [
      "queries": "\(order.queries.count)", "lists": lists, "matcher": search.matcher.version,
      "policy": search.matcher.policy, "threshold": "\(search.thresholds.match)",
    ]
    try await database.write(retrying: .outdatedOrDuplicate) { [audit] tx in
      try audit.append("screening.searched", to: client.id.rawValue, by: client.actor, facts: facts, in: tx)
    }
  }
}
