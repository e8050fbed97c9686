// SPDX-License-Identifier: Apache-2.0

/// Which way an adjustment goes: a discount debits.
public enum CreditDebitIndicator: String, CaseIterable, Codable, Hashable, Sendable {
  case credit = "CRDT"
  case debit = "DBIT"
}

/// Kinds of addresses (ISO 20022).
public enum AddressType2Code: String, CaseIterable, Codable, Hashable, Sendable {
  case ADDR, PBOX, HOME, BIZZ, MLTO, DLVY
}

/// Schemes of numbers (ISO 20022).
public enum ExternalOrganisationIdentification1Code: String, CaseIterable, Codable, Hashable, Sendable {
  case BANK, CBID, CHID, CINC, COID, CUST, DUNS, EMPL, GS1G, SREN, SRET, TXID
}

/// Kinds of documents (ISO 20022).
public enum DocumentType6Code: String, CaseIterable, Codable, Hashable, Sendable {
  case MSIN, CNFA, DNFA, CINV, CREN, DEBN, HIRI, SBIN, CMCN, SOAC, DISP, BOLD, VCHR, AROI, TSUT, PUOR
}

/// Kinds of references (ISO 20022).
public enum DocumentType3Code: String, CaseIterable, Codable, Hashable, Sendable {
  case RADM, RPIN, FXDR, DISP, PUOR, SCOR
}
