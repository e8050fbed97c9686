// SPDX-License-Identifier: Apache-2.0

/// The words of a statement in one language.
struct StatementTexts: Sendable {
  let title: String
  let holder: String
  let account: String
  let period: String
  let clock: String
  let number: String
  let corrects: String
  let opening: String
  let credits: String
  let debits: String
  let closing: String
  let entries: String
  let noEntries: String
  let day: String
  let valueDate: String
  let what: String
  let amount: String
  let balance: String
  let end: String
  /// What money is moved for, in words.
  let kinds: [BankTransaction.Kind: String]
  /// Between thousands, and before the decimals.
  let marks: (group: String, decimal: String)

  /// - Parameter language: BCP 47. Another one than English, French and Arabic gets English.
  static func of(_ language: String) -> (words: StatementTexts, language: String) {
    switch language.prefix(while: { $0 != "-" }).lowercased() {
    case "fr": (french, "fr")
    case "ar": (arabic, "ar")
    default: (english, "en")
    }
  }

  /// An amount of money for people, such as `1,234.50`.
  /// - Parameter decimal: as `Money.decimal` writes it.
  func amount(_ decimal: String) -> String {
    let parts = decimal.split(separator: ".", omittingEmptySubsequences: false)
    let sign = decimal.hasPrefix("-") ? "-" : ""
    let digits = Array((parts.first ?? "").drop { $0 == "-" })
    var grouped = ""
    for (place, digit) in digits.enumerated() {
      if place > 0, (digits.count - place).isMultiple(of: 3) { grouped += marks.group }
      grouped.append(digit)
    }
    return sign + grouped + (parts.count == 2 ? marks.decimal + parts[1] : "")
  }

  static let english = StatementTexts(
    title: "Account statement", holder: "Account holder", account: "Account", period: "Period",
    clock: "Days begin and end at midnight, Coordinated Universal Time.", number: "Statement number",
    corrects: "This statement takes the place of statement", opening: "Opening balance", credits: "Money in",
    debits: "Money out", closing: "Closing balance", entries: "Entries",
    noEntries: "Nothing was booked in this period.",
    day: "Date", valueDate: "value date", what: "Description",
    amount: "Amount", balance: "Balance", end: "End of the statement.",
    kinds: [
      .transfer: "Transfer", .deposit: "Deposit", .autodeposit: "Interac e-Transfer, autodeposit",
      .interacPayment: "Interac e-Transfer", .purchase: "Card purchase", .refund: "Card refund",
      .chargeback: "Chargeback", .interest: "Interest", .fee: "Fee", .withdrawal: "Withdrawal",
      .correction: "Correction", .reversal: "Reversal",
    ], marks: (",", "."))

  static let french = StatementTexts(
    title: "Relevé de compte", holder: "Titulaire du compte", account: "Compte", period: "Période",
    clock: "Les jours commencent et finissent à minuit, temps universel coordonné.", number: "Numéro du relevé",
    corrects: "Ce relevé remplace le relevé", opening: "Solde d’ouverture", credits: "Entrées", debits: "Sorties",
    closing: "Solde de clôture", entries: "Opérations", noEntries: "Aucune opération pendant cette période.",
    day: "Date", valueDate: "date de valeur", what: "Description",
    amount: "Montant", balance: "Solde", end: "Fin du relevé.",
    kinds: [
      .transfer: "Virement", .deposit: "Dépôt", .autodeposit: "Virement Interac, dépôt automatique",
      .interacPayment: "Virement Interac", .purchase: "Achat par carte", .refund: "Remboursement par carte",
      .chargeback: "Rétrofacturation", .interest: "Intérêts", .fee: "Frais", .withdrawal: "Retrait",
      .correction: "Correction", .reversal: "Contrepassation",
    ], marks: ("\u{A0}", ","))

  static let arabic = StatementTexts(
    title: "كشف حساب", holder: "صاحب الحساب", account: "الحساب", period: "الفترة",
    clock: "تبدأ الأيام وتنتهي عند منتصف الليل بالتوقيت العالمي المنسق.", number: "رقم الكشف",
    corrects: "يحل هذا الكشف محل الكشف", opening: "الرصيد الافتتاحي", credits: "المبالغ الواردة",
    debits: "المبالغ الصادرة", closing: "الرصيد الختامي", entries: "الحركات",
    noEntries: "لم تُقيَّد أي حركة في هذه الفترة.", day: "التاريخ", valueDate: "تاريخ الاستحقاق", what: "البيان",
    amount: "المبلغ", balance: "الرصيد",
    end: "نهاية الكشف.",
    kinds: [
      .transfer: "تحويل", .deposit: "إيداع", .autodeposit: "تحويل إنتراك، إيداع تلقائي",
      .interacPayment: "تحويل إنتراك",
      .purchase: "شراء بالبطاقة", .refund: "رد مبلغ إلى البطاقة", .chargeback: "استرداد مدفوعات", .interest: "فوائد",
      .fee: "رسوم", .withdrawal: "سحب", .correction: "تصحيح", .reversal: "قيد عكسي",
    ], marks: (",", "."))
}
