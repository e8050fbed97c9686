/// How a transfer stands, in the words of the wire (finaptic §4.4).
enum TransferStatus: String, Sendable {
  case declined = "DECLINED"
  case completed = "COMPLETED"
  case pending = "PENDING"

  init(of leg: BankTransaction) {
    switch leg.state {
    case .pending: self = .pending
    case .cancelled: self = .declined
    case .posted, .unknown: self = leg.category == .declined ? .declined : .completed
    }
  }
}

/// What the customer is in a transfer, in the words of the wire (finaptic §4.4).
enum TransferRole: String, Sendable {
  case initiator = "INITIATOR"
  case recipient = "RECIPIENT"
}

/// What kind of transfer it is, in the words of the wire (finaptic §4.4).
enum TransferType: String, Sendable {
  case internalTransfer = "INTERNAL_ACCOUNT_TO_ACCOUNT"
  case interacAutodeposit = "INTERAC_AUTODEPOSIT"
  case interacPayment = "INTERAC_REGULAR_PAYMENT"

  /// Nil for what is no transfer.
  /// - Parameter kind: a `BankOrder.Kind`.
  init?(kind: String) {
    switch BankOrder.Kind(rawValue: kind) {
    case .transfer: self = .internalTransfer
    case .autodeposit: self = .interacAutodeposit
    case .interacPayment: self = .interacPayment
    case .deposit, .purchase, .refund, .chargeback, .interest, .fee, nil: return nil
    }
  }
}
