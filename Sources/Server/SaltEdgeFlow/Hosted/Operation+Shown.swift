// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import Kit
import SaltEdgeWire

/// What a customer is shown of an operation: the same bytes for the same device whenever it is asked, so that they can
/// be kept as what was decided on.
extension Operation {
  /// Writes the text that the customer is shown. It is kept, and not written again.
  mutating func settleWording() throws {
    content.shown = .init(v2: try wordedV2(), description: wordedDescription)
  }

  /// As a device of v2 reads it (saltedge-authenticator §5.6).
  func shownV2() throws -> String { try content.shown?.v2 ?? wordedV2() }

  private func wordedV2() throws -> String {
    let payment = content.payment.map {
      SaltEdgeV2.Payment(
        payee: $0.payee, amount: "\($0.amount) \($0.currency)", account: $0.account, paymentDate: $0.date,
        reference: $0.reference)
    }
    let extra = content.origin.map {
      SaltEdgeV2.Extra(actionDate: createdAt.rfc3339, device: $0.device, location: $0.location, ip: $0.ip)
    }
    return String(
      decoding: try WireJSON.encode(
        SaltEdgeV2.Content(
          title: content.title,
          description: .init(
            text: content.text ?? (payment == nil ? content.title : nil), payment: payment, extra: extra),
          code: code.text, createdAt: createdAt.rfc3339, expiresAt: expiresAt.rfc3339)), as: UTF8.self)
  }

  /// As a device of v1 reads it (§4.6): plain text, a line for everything that v2 has a place for.
  func shownV1(on connection: SaltEdgeConnection.ID) throws -> String {
    String(
      decoding: try WireJSON.encode(
        SaltEdgeV1.Authorization(
          id: id.rawValue, connectionID: connection.rawValue, title: content.title,
          description: content.shown?.description ?? wordedDescription,
          code: code.text, createdAt: createdAt.rfc3339, expiresAt: expiresAt.rfc3339)), as: UTF8.self)
  }

  private var wordedDescription: String {
    let lines: [(String, String?)] = [
      ("Payee", content.payment?.payee), ("Amount", content.payment.map { "\($0.amount) \($0.currency)" }),
      ("Account", content.payment?.account), ("Date", content.payment?.date),
      ("Reference", content.payment?.reference), ("Device", content.origin?.device),
      ("Location", content.origin?.location), ("IP", content.origin?.ip),
    ]
    let text = ([content.text].compactMap { $0 } + lines.compactMap { line in line.1.map { "\(line.0): \($0)" } })
      .joined(separator: "\n")
    return text.isEmpty ? content.title : text
  }
}
