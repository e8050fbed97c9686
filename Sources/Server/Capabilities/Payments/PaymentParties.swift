// SPDX-License-Identifier: Apache-2.0

import ReferenceData

/// A bank in a message (`BranchAndFinancialInstitutionIdentification6`). A bank that is named by neither is written and
/// read as unnamed: the schema allows it.
package struct Agent: Sendable, Equatable {
  /// `BICFI`.
  package var bic: BIC?
  /// `ClrSysMmbId/MmbId`: its number in a national clearing, such as a sort code; up to 35 characters.
  package var clearingMember: String?

  package init(bic: BIC? = nil, clearingMember: String? = nil) {
    (self.bic, self.clearingMember) = (bic, clearingMember)
  }
}

/// The number of an account (`AccountIdentification4Choice`).
package enum AccountNumber: Sendable, Hashable {
  case iban(IBAN)
  /// `Othr/Id`: the bank's own form, up to 34 characters.
  case other(String)

  /// As it is written in the message.
  package var text: String {
    switch self {
    case .iban(let iban): iban.text
    case .other(let text): text
    }
  }
}

extension MessageElement {
  func agent() throws(MessageFault) -> Agent {
    try check("FinInstnId BrnchId")
    let institution = try one("FinInstnId")
    try institution.check("BICFI ClrSysMmbId LEI Nm PstlAdr Othr")
    var agent = Agent()
    if let element = try institution.first("BICFI") {
      guard let bic = BIC(try element.token()) else { throw element.fault("is no BIC (ISO 9362)") }
      agent.bic = bic
    }
    if let member = try institution.first("ClrSysMmbId") {
      try member.check("ClrSysId MmbId")
      agent.clearingMember = try member.one("MmbId").text(max: 35)
    }
    return agent
  }

  /// The number of a `CashAccount38` or `CashAccount39`.
  func accountNumber() throws(MessageFault) -> AccountNumber {
    let id = try one("Id")
    guard id.children.count == 1, let choice = id.children.first else { throw id.fault("is not one of IBAN and Othr") }
    switch choice.name {
    case "IBAN":
      let text = try choice.token()
      // Smaller letters are in the schema's pattern and mean the same account (ISO 13616).
      guard !text.contains(" "), let iban = IBAN(text) else { throw choice.fault("is no IBAN with right check digits") }
      return .iban(iban)
    case "Othr":
      try choice.check("Id SchmeNm Issr")
      return .other(try choice.one("Id").text(max: 34))
    default: throw choice.fault("is not one of IBAN and Othr")
    }
  }

  /// The name of a `PartyIdentification135`; nil when the message has none.
  func partyName() throws(MessageFault) -> String? {
    try check("Nm PstlAdr Id CtryOfRes CtctDtls")
    return try first("Nm")?.text(max: 140)
  }

  /// The first identifier of a person who is a `PartyIdentification135`, of those that are no date and place of birth;
  /// nil when the message has none.
  func person() throws(MessageFault) -> String? {
    try check("Nm PstlAdr Id CtryOfRes CtctDtls")
    let other = try first("Id")?.first("PrvtId")?.children.first { $0.name == "Othr" }
    return try other?.one("Id").text(max: 35)
  }
}

extension MessageWriter {
  mutating func agent(_ name: String, _ agent: Agent) throws(MessageFault) {
    try element(name) { writer throws(MessageFault) in
      try writer.element("FinInstnId") { writer throws(MessageFault) in
        if let bic = agent.bic { try writer.leaf("BICFI", bic.text, max: 11) }
        if let member = agent.clearingMember {
          try writer.element("ClrSysMmbId") { writer throws(MessageFault) in
            try writer.leaf("MmbId", member, max: 35)
          }
        }
      }
    }
  }

  mutating func party(_ name: String, _ party: String?) throws(MessageFault) {
    try element(name) { writer throws(MessageFault) in
      if let party { try writer.leaf("Nm", party, max: 140) }
    }
  }

  /// A person by an identifier that the sender gave, with a name where there is one.
  mutating func person(_ element: String, named name: String?, _ identifier: String) throws(MessageFault) {
    try self.element(element) { writer throws(MessageFault) in
      if let name { try writer.leaf("Nm", name, max: 140) }
      try writer.element("Id") { writer throws(MessageFault) in
        try writer.element("PrvtId") { writer throws(MessageFault) in
          try writer.element("Othr") { writer throws(MessageFault) in try writer.leaf("Id", identifier, max: 35) }
        }
      }
    }
  }

  mutating func account(_ name: String, _ number: AccountNumber) throws(MessageFault) {
    try element(name) { writer throws(MessageFault) in
      try writer.element("Id") { writer throws(MessageFault) in
        switch number {
        case .iban(let iban): try writer.leaf("IBAN", iban.text, max: 34)
        case .other(let text):
          try writer.element("Othr") { writer throws(MessageFault) in try writer.leaf("Id", text, max: 34) }
        }
      }
    }
  }
}
