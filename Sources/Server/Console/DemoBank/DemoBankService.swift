// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import Identity
import Kit
import ReferenceData

/// What the demonstration bank knows when it starts: its credentials at the service, and its customers. A file of the
/// operator's, written by `gatehouse saltedge demo-bank` or by a sandbox at its first start; nothing of it is in the
/// program.
package struct DemoBankService: Codable, Sendable {
  /// Where this server is reached: scheme, host, port and path prefix, without a slash at its end.
  package let address: String
  /// The bank's id at the service, and its credentials for the provider API.
  package let provider: String
  package let client: String
  package let secret: String
  /// What the service signs its webhooks with.
  package let webhookSecret: String
  package let customers: [DemoCustomer]

  package init(
    address: String, provider: String, client: String, secret: String, webhookSecret: String, customers: [DemoCustomer]
  ) {
    (self.address, self.provider) = (address, provider)
    (self.client, self.secret, self.webhookSecret) = (client, secret, webhookSecret)
    self.customers = customers
  }

  /// The page that an app's web view opens for a customer to sign in, below `address`.
  package static let loginPath = "\(DemoBankRoutes.base)/enrol"
  package static let webhookPath = "\(DemoBankRoutes.base)/webhook"

  /// Why a file is no such book. Quotes nothing of it.
  package struct Unusable: Error, CustomStringConvertible {
    package let description: String
  }

  /// - Throws: `Unusable`.
  package init(file: String) throws {
    guard let data = FileManager.default.contents(atPath: file) else {
      throw Unusable(description: "the file \(file) cannot be read")
    }
    guard let book = try? JSONDecoder().decode(Self.self, from: data) else {
      throw Unusable(description: "the file \(file) is not the book of a demonstration bank")
    }
    self = book
    guard WebhookSecret(webhookSecret) != nil, WebAddress(address) != nil,
      customers.allSatisfy({ PasswordHash($0.passwordHash) != nil && IBAN($0.account) != nil }),
      Set(customers.map(\.username)).count == customers.count, Set(customers.map(\.id)).count == customers.count
    else { throw Unusable(description: "the file \(file) holds an invalid address, secret or customer") }
  }
}

extension DemoBankService {
  /// The same bank, of a server that is reached by another address.
  package func moved(to address: String) -> DemoBankService {
    DemoBankService(
      address: address, provider: provider, client: client, secret: secret, webhookSecret: webhookSecret,
      customers: customers)
  }

  /// - Parameter place: for its owner's eyes only.
  package func write(to place: StagedFile) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try place.append(try encoder.encode(self))
    try place.commit()
  }
}

/// An invented customer of the demonstration bank.
package struct DemoCustomer: Codable, Sendable, Equatable {
  /// What the bank calls them towards the service.
  package let id: String
  package let username: String
  package let name: String
  /// IBAN, without spaces.
  package let account: String
  /// Argon2id, or scrypt in older files, in PHC's string format.
  package let passwordHash: String

  package init(id: String, username: String, name: String, account: String, passwordHash: String) {
    (self.id, self.username, self.name, self.account) = (id, username, name, account)
    self.passwordHash = passwordHash
  }
}
