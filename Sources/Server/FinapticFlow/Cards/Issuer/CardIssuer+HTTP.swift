// SPDX-License-Identifier: Apache-2.0

import Delivery
import FinapticWire
import Foundation
import Kit
import Storage

extension CardIssuer {
  /// The issuer that each tenant names, over HTTP with JSON and a bearer token: `POST /cards` makes a card, under our
  /// id as `Idempotency-Key`, `GET /cards/{id}` tells what was made under it, and
  /// `POST /security-codes` the code of one (docs/finaptic-cards.md).
  package static func http(_ peer: PeerHTTP, database: any SQLDatabase, vault: Vault) -> CardIssuer {
    let calls = HTTPCalls(peer: peer, database: database, vault: vault)
    return CardIssuer(
      issue: { order in
        let made = try await calls.card(
          HTTPCalls.Ordered(
            card_id: order.card, card_type: order.type, name_on_card: order.nameOnCard,
            billing_address: order.billingAddress), of: order.tenant)
        return Issued(
          reference: made.card_reference, number: made.number, expiryYear: made.expiry_year,
          expiryMonth: made.expiry_month)
      },
      securityCode: { reference, tenant in
        let found: HTTPCalls.Code = try await calls.ask(
          "POST", "/security-codes", of: tenant, HTTPCalls.Asked(card_reference: reference))
        guard found.security_code.wholeMatch(of: /[0-9]{3,4}/) != nil else { throw CardOpening.Unreadable() }
        return found.security_code
      },
      serves: { try ConnectorStore($1, of: .cardIssuer, vault: vault).isSet($0) })
  }

  /// The issuer says no: repeating cannot help.
  struct Refused: FinalFailure { let status: Int }

  /// The issuer did not answer, or not now.
  struct Unavailable: Error { let status: Int }

  /// Calls of an issuer. Neither requests nor answers are logged.
  private struct HTTPCalls: Sendable {
    let peer: PeerHTTP
    let database: any SQLDatabase
    let vault: Vault

    struct Ordered: Encodable {
      let card_id, card_type, name_on_card: String
      let billing_address: FinapticAPI.Address?
    }

    struct Made: Decodable {
      let card_reference, number: String
      let expiry_year, expiry_month: Int
    }

    struct Asked: Encodable { let card_reference: String }
    struct Code: Decodable { let security_code: String }

    /// Where the issuer says that it had the order before, as after an answer that was lost, or works on it still, the
    /// card is looked up by our id. What is not there yet is asked for again.
    func card(_ order: Ordered, of tenant: Int) async throws -> Made {
      do { return try await ask("POST", "/cards", of: tenant, key: order.card_id, order) } catch let told as Refused {
        guard told.status == 409 else { throw told }
        do { return try await ask("GET", "/cards/\(order.card_id)", of: tenant) } catch is Refused {
          throw Unavailable(status: told.status)
        }
      }
    }

    func ask<Answer: Decodable & Sendable>(
      _ method: String, _ path: String, of tenant: Int, key: String? = nil, _ body: (any Encodable & Sendable)? = nil
    ) async throws -> Answer {
      let found = try await database.read { [vault] in
        try ConnectorStore($0, of: .cardIssuer, vault: vault).find(tenant)
      }
      guard let found else { throw CardOpening.noIssuer }
      var headers = ["Authorization": "Bearer \(found.token)"]
      headers["Content-Type"] = body == nil ? nil : "application/json"
      headers["Idempotency-Key"] = key
      let content = try body.map { try JSONEncoder().encode($0) } ?? Data()
      let answer = try await peer.send(.init(method, found.url + path, headers: headers, body: content))
      switch answer.status {
      case 200, 201:
        guard let read = try? JSONDecoder().decode(Answer.self, from: answer.body) else {
          throw CardOpening.Unreadable()
        }
        return read
      // What is wrong with the request itself; a token that ran out or an address that moved is corrected by operators.
      case 400, 409, 422: throw Refused(status: answer.status)
      default: throw Unavailable(status: answer.status)
      }
    }
  }
}
