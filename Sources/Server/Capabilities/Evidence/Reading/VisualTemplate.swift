/// How one kind of document lays out its visual zone: by words that say what follows.
struct VisualTemplate: Sendable {
  /// Where a value stands, seen from its label.
  enum Place: Sendable { case below, right }

  struct Rule: Sendable {
    var field: VisualZone.Field
    /// Words that open the label; each alternative must match word by word.
    var labels: [[String]]
  }

  var kind: DocumentKind
  /// Words of the title; each alternative must match word by word.
  var titles: [[String]]
  var place: Place
  var rules: [Rule]
}

extension VisualTemplate {
  /// Fields without which the page is looked at twice.
  var required: [VisualZone.Field] { [.surname, .givenNames, .documentNumber, .birthDate, .expiryDate] }

  static let all = [passport, identityCard, drivingLicence]

  /// The data page of Doc 9303-4 §4.1: captions in English or French among others.
  static let passport = VisualTemplate(
    kind: .passport, titles: [["PASSPORT"], ["PASSEPORT"], ["REISEPASS"], ["PASAPORTE"]], place: .below,
    rules: captions + [
      Rule(field: .documentNumber, labels: [["PASSPORT", "NO"], ["PASSPORT", "NUMBER"], ["DOCUMENT", "NO"]])
    ])

  /// The front of an ID-1 card (Doc 9303-5 §4).
  static let identityCard = VisualTemplate(
    kind: .nationalIDFront,
    titles: [["IDENTITY", "CARD"], ["CARTE", "D'IDENTITE"], ["NATIONAL", "IDENTITY"], ["PERSONALAUSWEIS"]],
    place: .below,
    rules: captions + [
      Rule(
        field: .documentNumber,
        labels: [
          ["DOCUMENT", "NO"], ["DOCUMENT", "NUMBER"], ["CARD", "NO"], ["CARD", "NUMBER"], ["IDENTITY", "NO"],
        ])
    ])

  /// The numbered fields of ISO/IEC 18013-1 §6 (and Directive 2006/126/EC, annex I).
  static let drivingLicence = VisualTemplate(
    kind: .drivingLicence,
    titles: [["DRIVING", "LICENCE"], ["DRIVER", "LICENSE"], ["DRIVING", "LICENSE"], ["PERMIS", "DE", "CONDUIRE"]],
    place: .right,
    rules: [
      Rule(field: .surname, labels: [["1."]]), Rule(field: .givenNames, labels: [["2."]]),
      Rule(field: .birthDate, labels: [["3."]]), Rule(field: .issueDate, labels: [["4A."]]),
      Rule(field: .expiryDate, labels: [["4B."]]), Rule(field: .personalNumber, labels: [["4D."]]),
      Rule(field: .documentNumber, labels: [["5."]]), Rule(field: .address, labels: [["8."]]),
      Rule(field: .categories, labels: [["9."]]),
    ])

  /// In English, then in French, Spanish and German, for pages that are captioned in one language only.
  private static let captions = [
    Rule(
      field: .surname,
      labels: [["SURNAME"], ["FAMILY", "NAME"], ["LAST", "NAME"], ["NOM"], ["APELLIDOS"], ["FAMILIENNAME"]]),
    Rule(
      field: .givenNames,
      labels: [["GIVEN", "NAMES"], ["FORENAMES"], ["FIRST", "NAMES"], ["PRENOMS"], ["NOMBRES"], ["VORNAMEN"]]),
    Rule(field: .nationality, labels: [["NATIONALITY"], ["NATIONALITE"], ["NACIONALIDAD"], ["STAATSANGEHORIGKEIT"]]),
    Rule(
      field: .birthDate,
      labels: [
        ["DATE", "OF", "BIRTH"], ["BIRTH", "DATE"], ["DATE", "DE", "NAISSANCE"], ["FECHA", "DE", "NACIMIENTO"],
        ["GEBURTSDATUM"],
      ]),
    Rule(field: .sex, labels: [["SEX"], ["SEXE"], ["SEXO"], ["GESCHLECHT"]]),
    Rule(
      field: .issueDate,
      labels: [["DATE", "OF", "ISSUE"], ["DATE", "DE", "DELIVRANCE"], ["AUSSTELLUNGSDATUM"]]),
    Rule(
      field: .expiryDate,
      labels: [
        ["DATE", "OF", "EXPIRY"], ["EXPIRY", "DATE"], ["VALID", "UNTIL"], ["DATE", "D'EXPIRATION"],
        ["FECHA", "DE", "CADUCIDAD"], ["GULTIG", "BIS"],
      ]),
    Rule(field: .personalNumber, labels: [["PERSONAL", "NO"], ["PERSONAL", "NUMBER"]]),
  ]
}
