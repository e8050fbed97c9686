// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import Kit
import Storage
import Testing
import TestSupport

@testable import RubixFlow

@Suite("Rubix: the right of access")
struct ExportTests {
  private static let other = AgentTestApp.Person(name: "Bruno", number: 2)

  private func exported(_ engine: Engine) async throws -> (app: AgentTestApp, customer: String, restricted: String) {
    let app = try await AgentTestApp(engine)
    let agent = try await app.agent()
    let customer = try await app.filled(agent: agent)
    _ = try await app.filled(Self.other, agent: agent)
    var (open, restricted) = try await app.exporter.export(customer.id, of: customer.tenant, by: "operator")
    for index in open.images.indices {
      let pictures = try await app.exporter.pictures(of: open.images[index])
      #expect(pictures.map(\.bytes) == Array(repeating: AgentTestApp.Person().picture, count: 2))
      open.images[index].files = pictures.map(\.file)
    }
    #expect(try await app.actions(of: customer).last == "customer.exported")
    return (
      app, String(decoding: try CustomerExporter.json(open), as: UTF8.self),
      String(decoding: try CustomerExporter.json(restricted), as: UTF8.self)
    )
  }

  @Test(
    "everything that is kept of a customer is in it, opened, and nothing of anybody else", arguments: Engine.available)
  func whole(engine: Engine) async throws {
    let (_, customer, restricted) = try await exported(engine)
    let person = AgentTestApp.Person()
    for text in person.open { #expect(customer.contains(text), "\(text)") }
    for text in person.restricted { #expect(restricted.contains(text), "\(text)") }
    for text in Self.other.open + Self.other.restricted {
      #expect(!customer.contains(text) && !restricted.contains(text), "\(text)")
    }
    let text = try #require(try JSONSerialization.jsonObject(with: Data(customer.utf8)) as? [String: Any])
    #expect(text["format"] as? String == "gatehouse-customer-export/1")
    for (part, count) in [
      ("images", 1), ("verifications", 1), ("screenings", 1), ("forms", 2), ("appointments", 1), ("verdicts", 1),
      ("messages", 1), ("sessions", 1), ("passcodes", 1), ("capture_sessions", 1),
    ] { #expect((text[part] as? [Any])?.count == count, "\(part)") }
  }

  @Test(
    "the customer's part names no list, no officer, no colleague, and no secret of theirs", arguments: Engine.available)
  func withheld(engine: Engine) async throws {
    let (app, customer, _) = try await exported(engine)
    let staff = try await app.staff.list(tenant: "default")
    for text in AgentTestApp.Person().restricted + staff.map(\.id.rawValue) + ["sanction", "\"UN\"", "screenedHit"] {
      #expect(!customer.contains(text), "\(text)")
    }
    for text in ["digest", "token", "rbxr_"] { #expect(!customer.contains(text), "\(text)") }
  }

  @Test(
    "the customer's history is numbered on its own, so that no gap hints at what is withheld",
    arguments: Engine.available)
  func numbering(engine: Engine) async throws {
    let app = try await AgentTestApp(engine)
    let customer = try await app.filled(agent: try await app.agent())
    try await app.core.database.write { [core = app.core] tx in
      try core.audit.append("screening.decided", to: customer.id.rawValue, by: "officer", in: tx)
    }
    let (open, restricted) = try await app.exporter.export(customer.id, of: customer.tenant, by: "operator")
    #expect(open.history.count < restricted.history.count, "something is withheld")
    #expect(open.history.map(\.sequence) == Array(1...open.history.count))
    #expect(restricted.history.map(\.sequence) == Array(1...restricted.history.count))
    #expect(open.history.last?.action == "customer.exported")
  }

  @Test(
    "a customer of another institution and an unknown one get the same answer", arguments: Engine.available)
  func otherTenant(engine: Engine) async throws {
    let app = try await AgentTestApp(engine)
    let customer = try await app.customer(at: .registered)
    let other = try app.rubix.tenants.find("other")
    #expect(try await problem { try await app.exporter.export(customer.id, of: other, by: "operator") } == .notFound)
    #expect(try await app.actions(of: customer).isEmpty)
  }

  @Test("a picture that was erased is left out, and the rest is given", arguments: Engine.available)
  func erasedPicture(engine: Engine) async throws {
    let app = try await AgentTestApp(engine)
    let customer = try await app.filled(agent: try await app.agent())
    let open = try await app.exporter.export(customer.id, of: customer.tenant, by: "operator").customer
    for key in app.blobKeys { try await app.core.blobs.delete(key) }
    #expect(try await app.exporter.pictures(of: open.images[0]).isEmpty)
  }
}
