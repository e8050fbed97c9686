// SPDX-License-Identifier: Apache-2.0

import Console
import Foundation
import Identity
import Kit
import ReferenceData
import SaltEdgeFlow

/// Makes a demonstration bank: adds it to the service as any bank is added, invents its customers, and writes down what
/// the bank has to know.
package struct DemoBankSetup: Sendable {
  /// A customer to be: a name to sign in with, and one for people.
  package struct Person: Sendable {
    let username: String
    let name: String

    package init(username: String, name: String) { (self.username, self.name) = (username, name) }
  }

  package struct Made: Sendable {
    package let book: DemoBankService
    /// By user name; kept nowhere else.
    package let passwords: [(username: String, password: String)]
  }

  package static let people = [
    Person(username: "ada", name: "Ada Anyder"), .init(username: "peter", name: "Peter Gilles"),
  ]

  let app: App
  let cost: PasswordCost

  package init(app: App, cost: PasswordCost = .standard) { (self.app, self.cost) = (app, cost) }

  /// - Throws: `Problem` validation; conflict when there is a bank of that code.
  package func make(code: String, people: [Person] = people, by actor: String) async throws -> Made {
    let address = app.saltEdge.policy.publicURL
    var draft = Providers.Draft(code: code, name: "Demo Bank", kind: .hosted, supportEmail: "help@bank.example")
    draft.loginURL = address + DemoBankService.loginPath
    // Its page signs customers in by a scan.
    draft.allowsUnconfirmed = true
    draft.webhookURL = address + DemoBankService.webhookPath
    let customers = try people.enumerated().map { try customer($0.offset, $0.element) }
    let (added, issued) = try await app.saltEdge.providers.add(
      draft, clients: app.serviceClients, by: actor)
    guard let webhookSecret = added.webhookSecret else { throw Problem.unexpected }
    // A real bank asks for the service's key before its first customer connects. Without this line it would be made
    // while the first customer of the demonstration waits.
    _ = try await app.saltEdge.keys.publicKey()
    return Made(
      book: DemoBankService(
        address: address, provider: added.provider.id.rawValue, client: issued.client.id.rawValue,
        secret: issued.secret, webhookSecret: webhookSecret, customers: customers.map(\.0)),
      passwords: customers.map { ($0.0.username, $0.1) })
  }

  private func customer(_ index: Int, _ person: Person) throws -> (DemoCustomer, String) {
    guard person.username.wholeMatch(of: #/[a-z0-9][a-z0-9._\-]{0,31}/#) != nil,
      (1...64).contains(person.name.count), index < 1000,
      // ZZ is no country's (ISO 3166-1 leaves it to users).
      let account = IBAN(country: "ZZ", account: "DEMO0000000\(1000 + index)")
    else {
      throw Problem.validation([
        .init("/customer", "format", "Lower-case letters and digits, a colon, and a name: ada:Ada Anyder.")
      ])
    }
    let password = Data(app.world.random(9)).base64URL
    let hash = try PasswordHash(password, cost: cost, world: app.world)
    return (
      DemoCustomer(
        id: "customer-\(index + 1)", username: person.username, name: person.name, account: account.text,
        passwordHash: hash.text), password
    )
  }
}
