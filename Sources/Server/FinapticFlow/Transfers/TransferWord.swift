/// Words of the wire about transfers (finaptic §4.4).
enum TransferWord: String, Sendable {
  case declined = "DECLINED"
  case completed = "COMPLETED"
  case pending = "PENDING"

  case initiator = "INITIATOR"
  case recipient = "RECIPIENT"

  case internalTransfer = "INTERNAL_ACCOUNT_TO_ACCOUNT"
  case interacAutodeposit = "INTERAC_AUTODEPOSIT"
  case interacPayment = "INTERAC_REGULAR_PAYMENT"

  static let types: [TransferWord] = [.internalTransfer, .interacAutodeposit, .interacPayment]

  /// Nil for what is no transfer.
  /// - Parameter kind: a `BankOrder.Kind`.
  static func type(of kind: String) -> TransferWord? {
    switch BankOrder.Kind(rawValue: kind) {
    case .transfer: .internalTransfer
    case .autodeposit: .interacAutodeposit
    case .interacPayment: .interacPayment
    case .deposit, .purchase, .refund, .chargeback, .interest, .fee, nil: nil
    }
  }

  static func status(of leg: BankTransaction) -> TransferWord {
    switch leg.state {
    case .pending: .pending
    case .cancelled: .declined
    case .posted, .unknown: leg.category == .declined ? .declined : .completed
    }
  }
}
