// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A message of ISO 20022 that this server reads and writes.
package enum PaymentMessage: Sendable, Equatable {
  case paymentOrders(PaymentOrderMessage)
  case creditTransfers(CreditTransferMessage)
  case statuses(PaymentStatusMessage)
  case returns(PaymentReturnMessage)
  case statement(StatementMessage)
  case notification(NotificationMessage)
  case cancellation(CancellationMessage)
  case cancellationAnswer(CancellationAnswerMessage)
  case orderStatuses(PaymentOrderStatusMessage)

  private var namespace: String {
    switch self {
    case .paymentOrders: PaymentOrderMessage.namespace
    case .creditTransfers: CreditTransferMessage.namespace
    case .statuses: PaymentStatusMessage.namespace
    case .returns: PaymentReturnMessage.namespace
    case .statement: StatementMessage.namespace
    case .notification: NotificationMessage.namespace
    case .cancellation: CancellationMessage.namespace
    case .cancellationAnswer: CancellationAnswerMessage.namespace
    case .orderStatuses: PaymentOrderStatusMessage.namespace
    }
  }

  /// The message's definition and version, as in `pacs.008.001.08`.
  package var definition: String { String(namespace.split(separator: ":").last ?? "") }

  /// The message's own id: `MsgId`, and `Assgnmt/Id` of a camt.056 and a camt.029.
  package var id: String {
    switch self {
    case .paymentOrders(let message): message.id
    case .creditTransfers(let message): message.id
    case .statuses(let message): message.id
    case .returns(let message): message.id
    case .statement(let message): message.id
    case .notification(let message): message.id
    case .cancellation(let message): message.id
    case .cancellationAnswer(let message): message.id
    case .orderStatuses(let message): message.id
    }
  }

  /// The message in the form of its schema.
  /// - Throws: when a text is too long or has a character outside the set, an amount is not above zero, or the message
  ///   has too much or too little in it.
  package func xml(_ characters: MessageCharacters = .any) throws(MessageFault) -> Data {
    switch self {
    case .paymentOrders(let message): try message.xml(characters)
    case .creditTransfers(let message): try message.xml(characters)
    case .statuses(let message): try message.xml(characters)
    case .returns(let message): try message.xml(characters)
    case .statement(let message): try message.xml(characters)
    case .notification(let message): try message.xml(characters)
    case .cancellation(let message): try message.xml(characters)
    case .cancellationAnswer(let message): try message.xml(characters)
    case .orderStatuses(let message): try message.xml(characters)
    }
  }

  private static var builders: [any MessageBuilder.Type] {
    [
      PaymentOrderBuilder.self, CreditTransferBuilder.self, PaymentStatusBuilder.self, PaymentReturnBuilder.self,
      StatementBuilder.self, NotificationBuilder.self, CancellationBuilder.self, CancellationAnswerBuilder.self,
      PaymentOrderStatusBuilder.self,
    ]
  }

  private static let containers = Set(
    ["Document"]
      + builders.flatMap { builder in
        ["Document/\(builder.root)"] + builder.containers.map { "Document/\(builder.root)/\($0)" }
      })

  /// Reads a message of any of the kinds, and recognises it by its namespace.
  ///
  /// The order and number of elements are checked down to those that are kept, and the types of these; what is not
  /// kept, such as addresses, is not looked into. This is no validation against the whole schema.
  /// - Throws: at the first place that breaks a rule, with line and element, and never with what stands there.
  package static func read(_ bytes: Data) throws(MessageFault) -> PaymentMessage {
    try page(of: .bytes(bytes), limit: .none).message
  }

  /// Reads some of the parts of a message. The first page is told when the whole message was read and checked; a later
  /// one is read as far as it goes, and no more of the message is in memory.
  /// - Parameters:
  ///   - first: the place of its first part, from 0: what the page before had as its `next`.
  ///   - seen: gets the bytes of the file, as far as it is read.
  /// - Throws: as `read`.
  package static func page(
    of file: MessageFile, from first: Int = 0, limit: MessagePage.Limit = .standard, seen: (Data) -> Void = { _ in }
  ) throws(MessageFault) -> MessagePage {
    var builder: (any MessageBuilder)?
    var (root, parts) = ("", Set<String>())
    // A message has one root, and its parts stand in it.
    var (isBegun, isEnded) = (false, false)
    try MessageReader.read(
      file, containers: containers,
      namespace: { namespace throws(MessageFault) in
        guard let type = builders.first(where: { $0.namespace == namespace }) else {
          throw MessageFault(line: 1, "the namespace is of no message that is read")
        }
        var begun = type.init()
        begun.page = PartPage(first: first, limit: limit)
        (builder, root, parts) = (begun, type.root, type.containers)
      }, seen: seen,
      { event throws(MessageFault) in
        switch event {
        case .began("Document", _), .ended("Document"): break
        case .began(let name, let line):
          if isBegun, parts.contains(name) {
            try builder?.begin(name, line: line)
          } else {
            guard !isBegun, name == root else {
              throw MessageFault(line: line, element: name, "has no place here")
            }
            isBegun = true
          }
        case .part(let part):
          guard isBegun, !isEnded else { throw part.fault("has no place here") }
          try builder?.take(part)
        case .ended(let name):
          if name == root { isEnded = true } else { try builder?.end(name) }
        }
        return first == 0 || builder?.page.wantsMore ?? true
      })
    guard let builder else { throw MessageFault("the file holds no message") }
    return MessagePage(first == 0 ? try builder.message() : try builder.kept(), builder.page)
  }
}
