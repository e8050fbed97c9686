// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import Hummingbird
import Identity
import Kit

/// `/console/statements…`: the statements of a customer's account, found by the account's number.
package struct StatementPageRoutes: Sendable {
  static let base = "\(StaffRoutes.base)/statements"
  private static let mediaTypes = ["pdf": "application/pdf", "xml": "application/xml"]

  private let signIn: StaffSignIn
  private let desk: StatementSource

  package init(_ signIn: StaffSignIn, _ desk: StatementSource) { (self.signIn, self.desk) = (signIn, desk) }

  package func add(to root: RouterGroup<PublicContext>) {
    let group = root.group(RouterPath(Self.base))
    group.get("", use: page(list))
    group.get("{account}/{statement}/{form}", use: page(document))
  }

  @Sendable
  private func list(_ visit: StaffVisit, _ request: Request, _ parameters: Parameters) async throws -> Response {
    let asked = request.uri.queryParameters.get("account")?.trimmingCharacters(in: .whitespaces) ?? ""
    guard !asked.isEmpty else { return try StatementsPage(nil, of: "", fault: nil, for: visit).response() }
    do {
      guard let account = asked.canonicalUUID else { throw Problem.notFound }
      let rows = try await desk.list(account, visit.member)
      return try StatementsPage(rows, of: account, fault: nil, for: visit).response()
    } catch let problem as Problem where problem.category == .notFound {
      return try StatementsPage(nil, of: "", fault: Phrase("statements_unknown"), for: visit).response(
        status: problem.status)
    }
  }

  @Sendable
  private func document(_ visit: StaffVisit, _ request: Request, _ parameters: Parameters) async throws -> Response {
    let (account, statement) = try (parameters.requireUUID("account"), parameters.requireUUID("statement"))
    guard let form = parameters.get("form"), let mediaType = Self.mediaTypes[form] else { throw Problem.notFound }
    let bytes = try await desk.document(statement, form, account, visit.member)
    return Response.attachment(bytes, mediaType, named: "statement-\(statement).\(form)")
  }

  private func page(_ show: @escaping StaffSignIn.Show) -> StaffSignIn.Handler {
    signIn.page(for: .readCustomers, show)
  }
}
