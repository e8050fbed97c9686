import Foundation
import GatehouseWire
import Kit
import Storage
import Testing
import TestSupport

@testable import RubixFlow

@Suite("Rubix: the right of access")
struct ExportTests {
  private static let other = DeskHouse.Person(name: "Bruno", number: 2)

  private func exported(_ engine: Engine) async throws -> (house: DeskHouse, customer: String, restricted: String) {
    let house = try await DeskHouse(engine)
    let agent = try await house.agent()
    let customer = try await house.filled(agent: agent)
    _ = try await house.filled(Self.other, agent: agent)
    var (open, restricted) = try await house.exporter.export(customer.id, of: customer.tenant, by: "operator")
    for index in open.images.indices {
      let pictures = try await house.exporter.pictures(of: open.images[index])
      #expect(pictures.map(\.bytes) == Array(repeating: DeskHouse.Person().picture, count: 2))
      open.images[index].files = pictures.map(\.file)
    }
    #expect(try await house.actions(of: customer).last == "customer.exported")
    return (
      house, String(decoding: try CustomerExporter.json(open), as: UTF8.self),
      String(decoding: try CustomerExporter.json(restricted), as: UTF8.self)
    )
  }

  @Test(
    "everything that is kept of a customer is in it, opened, and nothing of anybody else", arguments: Engine.available)
  func whole(engine: Engine) async throws {
    let (_, customer, restricted) = try await exported(engine)
    let person = DeskHouse.Person()
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
    let (house, customer, _) = try await exported(engine)
    let staff = try await house.staff.list(tenant: "default")
    for text in DeskHouse.Person().restricted + staff.map(\.id.rawValue) + ["sanction", "\"UN\"", "screenedHit"] {
      #expect(!customer.contains(text), "\(text)")
    }
    for text in ["digest", "token", "rbxr_"] { #expect(!customer.contains(text), "\(text)") }
  }

  @Test(
    "the customer's history is numbered on its own, so that no gap hints at what is withheld",
    arguments: Engine.available)
  func numbering(engine: Engine) async throws {
    let house = try await DeskHouse(engine)
    let customer = try await house.filled(agent: try await house.agent())
    try await house.core.database.write { [core = house.core] tx in
      try core.audit.append("screening.decided", to: customer.id.rawValue, by: "officer", in: tx)
    }
    let (open, restricted) = try await house.exporter.export(customer.id, of: customer.tenant, by: "operator")
    #expect(open.history.count < restricted.history.count, "something is withheld")
    #expect(open.history.map(\.sequence) == Array(1...open.history.count))
    #expect(restricted.history.map(\.sequence) == Array(1...restricted.history.count))
    #expect(open.history.last?.action == "customer.exported")
  }

  @Test(
    "a customer of another institution is not found, and nobody is told apart from nobody", arguments: Engine.available)
  func otherTenant(engine: Engine) async throws {
    let house = try await DeskHouse(engine)
    let customer = try await house.customer(at: .registered)
    let other = try house.rubix.tenants.find("other")
    #expect(try await problem { try await house.exporter.export(customer.id, of: other, by: "operator") } == .notFound)
    #expect(try await house.actions(of: customer).isEmpty)
  }

  @Test("a picture that was erased is left out, and the rest is given", arguments: Engine.available)
  func erasedPicture(engine: Engine) async throws {
    let house = try await DeskHouse(engine)
    let customer = try await house.filled(agent: try await house.agent())
    let open = try await house.exporter.export(customer.id, of: customer.tenant, by: "operator").customer
    for key in house.blobKeys { try await house.core.blobs.delete(key) }
    #expect(try await house.exporter.pictures(of: open.images[0]).isEmpty)
  }
}
