// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Ledger

private enum Direction: String { case credit = "CRDT", debit = "DBIT" }

extension MessageElement {
  /// An entry (`ReportEntry10`), which statements and notifications have alike.
  func entry() throws(MessageFault) -> AccountStatement.Entry {
    try check(
      """
      NtryRef Amt CdtDbtInd RvslInd Sts BookgDt ValDt AcctSvcrRef Avlbty BkTxCd ComssnWvrInd AddtlInfInd AmtDtls Chrgs \
      TechInptChanl Intrst CardTx NtryDtls AddtlNtryInf
      """, repeated: ["Avlbty", "NtryDtls"])
    _ = try one("BkTxCd")
    var details: [AccountStatement.Detail] = []
    for group in all("NtryDtls") {
      try group.check("Btch TxDtls", repeated: ["TxDtls"])
      for transaction in group.all("TxDtls") { details.append(try transaction.detail()) }
    }
    return AccountStatement.Entry(
      amount: try signed(), isReversal: try first("RvslInd")?.flag() ?? false,
      status: try one("Sts").codeOrProprietary(), booked: try first("BookgDt")?.day(),
      valued: try first("ValDt")?.day(), reference: try first("NtryRef")?.text(max: 35),
      servicerReference: try first("AcctSvcrRef")?.text(max: 35), details: details)
  }

  private func detail() throws(MessageFault) -> AccountStatement.Detail {
    var detail = AccountStatement.Detail()
    if let refs = try first("Refs") {
      detail.messageID = try refs.first("MsgId")?.text(max: 35)
      detail.instructionID = try refs.first("InstrId")?.text(max: 35)
      detail.endToEndID = try refs.first("EndToEndId")?.text(max: 35)
      detail.transactionID = try refs.first("TxId")?.text(max: 35)
      detail.uetr = try refs.first("UETR")?.uetr()
    }
    // An amount without a direction would be taken for a credit.
    if try first("Amt") != nil, try first("CdtDbtInd") != nil { detail.amount = try signed() }
    if let parties = try first("RltdPties") {
      try parties.check(
        "InitgPty Dbtr DbtrAcct UltmtDbtr Cdtr CdtrAcct UltmtCdtr TradgPty Prtry", repeated: ["Prtry"])
      detail.debtor = try parties.first("Dbtr")?.choiceName()
      detail.debtorAccount = try parties.first("DbtrAcct")?.accountNumber()
      detail.creditor = try parties.first("Cdtr")?.choiceName()
      detail.creditorAccount = try parties.first("CdtrAcct")?.accountNumber()
    }
    if let agents = try first("RltdAgts") {
      try agents.check(
        """
        InstgAgt InstdAgt DbtrAgt CdtrAgt IntrmyAgt1 IntrmyAgt2 IntrmyAgt3 RcvgAgt DlvrgAgt IssgAgt SttlmPlc Prtry
        """, repeated: ["Prtry"])
      detail.instructing = try agents.first("InstgAgt")?.agent()
      detail.debtorAgent = try agents.first("DbtrAgt")?.agent()
      detail.creditorAgent = try agents.first("CdtrAgt")?.agent()
    }
    detail.remittance = try first("RmtInf")?.remittance() ?? []
    return detail
  }

  /// The name in a `Party40Choice`; nil when it is a bank, or has no name.
  private func choiceName() throws(MessageFault) -> String? {
    try check("Pty Agt")
    guard children.count == 1, let choice = children.first else { throw fault("is not one of Pty and Agt") }
    return choice.name == "Pty" ? try choice.partyName() : nil
  }

  /// An amount with the sign of its direction.
  func signed() throws(MessageFault) -> Money {
    let money = try one("Amt").money()
    switch try one("CdtDbtInd").code(Direction.self) {
    case .credit: return money
    case .debit: return Money(-money.minorUnits, money.currency)
    }
  }

  /// The text of `Cd` or `Prtry`, one of which it has.
  func codeOrProprietary() throws(MessageFault) -> String {
    try check("Cd Prtry")
    guard children.count == 1, let choice = children.first else { throw fault("is not one of Cd and Prtry") }
    return choice.name == "Cd" ? try choice.codeText() : try choice.text(max: 35)
  }

  /// The day of `Dt` or `DtTm`, one of which it has.
  func day() throws(MessageFault) -> CalendarDate {
    try check("Dt DtTm")
    guard children.count == 1, let choice = children.first else { throw fault("is not one of Dt and DtTm") }
    return choice.name == "Dt" ? try choice.date() : try choice.time().day
  }

  /// `xs:boolean`.
  private func flag() throws(MessageFault) -> Bool {
    switch try token() {
    case "true", "1": true
    case "false", "0": false
    default: throw fault("is neither true nor false")
    }
  }
}
