// SPDX-License-Identifier: Apache-2.0

import Casework
import Foundation
import GatehouseWire
import HTTP
import HTTPTypes
import Hummingbird
import Identity
import Kit

/// `/console/rights…`: what persons may ask for, export and erasure, asked for by one member of staff and agreed to by
/// another. The rules are those of `RightsCommands`; a button that is not shown is no rule.
package struct RightsRoutes: Sendable {
  package static let base = "\(StaffRoutes.base)/rights"
  /// Of an export from a page, which is made in memory. The command has no such limit.
  private static let bytesMax = 128 * 1024 * 1024

  private let signIn: StaffSignIn
  private let commands: RightsCommands

  package init(_ signIn: StaffSignIn, _ commands: RightsCommands) {
    (self.signIn, self.commands) = (signIn, commands)
  }

  package func add(to root: RouterGroup<PublicContext>) {
    let group = root.group(RouterPath(Self.base))
    group.get("", use: page { visit, _, _ in try await list(visit) })
    group.post("", use: form(ask))
    group.post("{request}/erasure", use: form(erase))
    group.post("{request}/export", use: form(export))
    group.get("{request}/proof", use: page(proof))
  }

  static func path(of request: RightsRequest.ID) -> String { "\(base)/\(request)" }

  private func list(
    _ visit: StaffVisit, fault: Phrase? = nil, status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    let (entries, places) = try await commands.list(for: CaseWorker(visit.member))
    return try RightsPage(entries, places, ways: commands.ways, at: signIn.core.world.now(), fault: fault, for: visit)
      .response(status: status)
  }

  private func ask(_ visit: StaffVisit, _ form: FormFields, _ parameters: Parameters) async throws -> Response {
    let place = (form["place"] ?? "").split(separator: "/", maxSplits: 1).map(String.init)
    guard let kind = RightsRequest.Kind(rawValue: form["kind"] ?? ""), place.count == 2 else {
      throw Problem.validation([.init("/kind", "unknown-value", "export or erasure, of a place of the list.")])
    }
    func text(_ name: String) -> String { (form[name] ?? "").trimmingCharacters(in: .whitespacesAndNewlines) }
    do {
      let money = text("money")
      try await commands.ask(
        .init(
          kind, of: text("subject"), at: FlowTenant(flow: place[0], tenant: place[1]), for: text("reason"),
          despiteDuty: form["despite"] == "yes", money: money.isEmpty ? nil : money),
        by: CaseWorker(visit.member))
    } catch let problem as Problem where problem == .notFound {
      // The form stays: a mistyped id is no address that is not there.
      throw Problem(.unprocessable, "rights-unknown", "There is no such person.")
    }
    return StaffRoutes.redirect(Self.base)
  }

  private func erase(_ visit: StaffVisit, _ form: FormFields, _ parameters: Parameters) async throws -> Response {
    guard form["sure"] == "yes" else {
      throw Problem(.unprocessable, "rights-not-sure", "Confirm that the person shall be erased for good.")
    }
    let (lines, request) = try await commands.erase(try Self.id(parameters), by: CaseWorker(visit.member))
    return try RightsDonePage(lines, request, by: signIn.core.vault, for: visit).response()
  }

  private func export(_ visit: StaffVisit, _ form: FormFields, _ parameters: Parameters) async throws -> Response {
    let id = try Self.id(parameters)
    var (archive, records) = (Data(), ZipRecords())
    let tooLarge = Problem(.conflict, "rights-too-large", "More than a page can hand out: use the command.")
    try await commands.export(id, by: CaseWorker(visit.member)) { path, bytes in
      guard archive.count + bytes.count <= Self.bytesMax else { throw tooLarge }
      archive += try records.header(of: path, size: bytes.count, crc: CRC32.of(bytes)) + bytes
    }
    archive += try records.directory()
    return Response.attachment(archive, "application/zip", named: "export-\(id).zip")
  }

  @Sendable
  private func proof(_ visit: StaffVisit, _ request: Request, _ parameters: Parameters) async throws -> Response {
    let id = try Self.id(parameters)
    let proof = try await commands.proof(id, for: CaseWorker(visit.member))
    return Response.attachment(proof, "application/octet-stream", named: "erasure-\(id).proof")
  }

  private static func id(_ parameters: Parameters) throws -> RightsRequest.ID {
    RightsRequest.ID(rawValue: try parameters.requireUUID("request"))
  }

  // MARK: Who calls

  private typealias Act = @Sendable (StaffVisit, FormFields, Parameters) async throws -> Response

  private func page(_ show: @escaping StaffSignIn.Show) -> StaffSignIn.Handler {
    signIn.page(for: RightsRequest.permission, show)
  }

  /// A form. What is refused is said above the list.
  private func form(_ act: @escaping Act) -> StaffSignIn.Handler {
    page { visit, request, parameters in
      let form = try await StaffForm.read(request, csrf: visit.csrf)
      do {
        return try await act(visit, form, parameters)
      } catch let problem as Problem where [.conflict, .unprocessable, .forbidden].contains(problem.category) {
        return try await list(visit, fault: Phrase(firstOf: problem), status: problem.status)
      }
    }
  }
}
