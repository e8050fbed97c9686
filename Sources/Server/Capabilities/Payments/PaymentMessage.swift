import Foundation

/// A message of ISO 20022 that this server reads.
package enum PaymentMessage: Sendable, Equatable {
  case creditTransfers(CreditTransferMessage)
  case statement(StatementMessage)

  /// The message's definition and version, as in `pacs.008.001.08`.
  package var definition: String {
    let namespace =
      switch self {
      case .creditTransfers: CreditTransferMessage.namespace
      case .statement: StatementMessage.namespace
      }
    return String(namespace.split(separator: ":").last ?? "")
  }

  /// Reads a message of any of the kinds, and recognises it by its namespace.
  ///
  /// The order and number of elements are checked down to those that are kept, and the types of these; what is not
  /// kept, such as addresses, is not looked into. This is no validation against the whole schema.
  /// - Throws: at the first place that breaks a rule, with line and element, and never with what stands there.
  package static func read(_ bytes: Data) throws(MessageFault) -> PaymentMessage {
    var kind = ""
    var transfers = CreditTransferBuilder()
    var statements = StatementBuilder()
    var isBegun = false
    try MessageReader.read(
      bytes,
      containers: [
        "Document", "Document/FIToFICstmrCdtTrf", "Document/BkToCstmrStmt", "Document/BkToCstmrStmt/Stmt",
      ],
      namespace: { namespace throws(MessageFault) in
        guard roots[namespace] != nil else {
          throw MessageFault(line: 1, "the namespace is of no message that is read")
        }
        kind = namespace
      },
      { event throws(MessageFault) in
        switch event {
        case .began("Document", _), .ended("Document"), .ended("FIToFICstmrCdtTrf"), .ended("BkToCstmrStmt"): break
        case .began("Stmt", let line): try statements.begin(line: line)
        case .ended("Stmt"): try statements.end()
        case .began(let name, let line):
          guard !isBegun, roots[kind] == name else {
            throw MessageFault(line: line, element: name, "has no place here")
          }
          isBegun = true
        case .part(let part):
          guard isBegun else { throw part.fault("has no place here") }
          if kind == CreditTransferMessage.namespace { try transfers.take(part) } else { try statements.take(part) }
        case .ended: break
        }
      })
    return kind == CreditTransferMessage.namespace
      ? .creditTransfers(try transfers.message()) : .statement(try statements.message())
  }

  /// The element below `Document`, by namespace.
  private static let roots = [
    CreditTransferMessage.namespace: "FIToFICstmrCdtTrf", StatementMessage.namespace: "BkToCstmrStmt",
  ]
}
