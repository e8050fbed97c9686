// SPDX-License-Identifier: Apache-2.0

/// What a document of a structured remittance is made of, in the manner of ISO 20022 (finaptic §8.7): the names are
/// those of its message components in snake case, the lengths its MaxNText.
indirect enum RemittanceShape: Sendable {
  case text(max: Int)
  /// A word of a list.
  case code(Set<String>)
  /// `2021-08-19`.
  case day
  /// Decimal digits.
  case decimal
  /// ISO 4217.
  case currency
  case list(RemittanceShape, max: Int)
  /// Members by name; unknown ones are left out.
  case object([String: RemittanceShape], required: Set<String> = [])

  static let documentsMax = 5
  private static let entriesMax = 20

  static let documents = RemittanceShape.list(document, max: documentsMax)

  private static let document = RemittanceShape.object([
    "referred_document_information": .list(
      .object(["type": kind(documentType6), "number": .text(max: 35), "related_date": .day]), max: entriesMax),
    "referred_document_amount": .object([
      "due_payable_amount": amount,
      "adjustment_amount_and_reason": .list(
        .object(
          [
            "amount": amount, "credit_debit_indicator": .code(["CRDT", "DBIT"]), "reason": .text(max: 35),
            "additional_information": .text(max: 140),
          ], required: ["amount"]), max: entriesMax),
      "remitted_amount": amount,
    ]),
    "creditor_reference_information": .object(["type": kind(documentType3), "reference": .text(max: 35)]),
    "invoicer": party, "invoicee": party,
    "additional_remittance_information": .list(.text(max: 140), max: 3),
  ])

  private static let amount = RemittanceShape.object(
    ["amount": .decimal, "currency": .currency], required: ["amount", "currency"])

  private static let party = RemittanceShape.object([
    "name": .text(max: 140),
    "postal_address": .object([
      "address_type": codeOrProprietary(addressType2), "department": .text(max: 70), "sub_department": .text(max: 70),
      "street_name": .text(max: 70), "building_number": .text(max: 16), "post_code": .text(max: 16),
      "town_name": .text(max: 35), "country_sub_division": .text(max: 35), "country": .text(max: 70),
      "address_line": .list(.text(max: 70), max: 7),
    ]),
    "identification": .object([
      "organisation_identification": .object([
        "other": .list(
          .object(
            ["identification": .text(max: 35), "scheme_name": codeOrProprietary(organisationScheme)],
            required: ["identification"]), max: entriesMax)
      ])
    ]),
    "contact_details": .object([
      "name": .text(max: 140), "phone_number": .text(max: 34), "mobile_number": .text(max: 34),
      "fax_number": .text(max: 34), "email_address": .text(max: 2048),
    ]),
  ])

  private static func kind(_ codes: Set<String>) -> RemittanceShape {
    .object(["code_or_proprietary": codeOrProprietary(codes)])
  }

  private static func codeOrProprietary(_ codes: Set<String>) -> RemittanceShape {
    .object(["code": .code(codes), "proprietary": .text(max: 35)])
  }

  private static let addressType2: Set<String> = ["ADDR", "PBOX", "HOME", "BIZZ", "MLTO", "DLVY"]
  private static let organisationScheme: Set<String> = [
    "BANK", "CBID", "CHID", "CINC", "COID", "CUST", "DUNS", "EMPL", "GS1G", "SREN", "SRET", "TXID",
  ]
  private static let documentType6: Set<String> = [
    "MSIN", "CNFA", "DNFA", "CINV", "CREN", "DEBN", "HIRI", "SBIN", "CMCN", "SOAC", "DISP", "BOLD", "VCHR", "AROI",
    "TSUT", "PUOR",
  ]
  private static let documentType3: Set<String> = ["RADM", "RPIN", "FXDR", "DISP", "PUOR", "SCOR"]
}
