import Console
import Evidence
import RubixFlow
import RubixWire

/// The evidence of an application, as a case page shows it.
struct RubixMaterial {
  /// A picture that is shown: an image, or the portrait that was cut out of it.
  struct Shown: Sendable {
    let image: RubixFlow.CapturedImage.ID
    let isPortrait: Bool
  }

  private let record: ReviewRecord

  init(_ record: ReviewRecord) { self.record = record }

  var material: CaseMaterial {
    var material = CaseMaterial()
    material.facts = facts
    material.pictures = Self.pictures(of: record.images).compactMap { shown in
      record.images.first { $0.id == shown.image }.map { shown.isPortrait ? Self.portrait(of: $0) : Self.picture($0) }
    }
    material.checks = (record.outcome?.rules ?? []).map {
      .init($0.code.rawValue, $0.result.rawValue, score: $0.score, threshold: $0.threshold, reasons: $0.reasons)
    }
    material.related = record.related.map { other in
      .init(
        subject: other.id.rawValue, state: Phrase("application_\(other.status.rawValue.lowercased())"),
        shared: other.shared.map { Phrase("trait_\($0.rawValue)") }, since: Moment(other.createdAt))
    }
    return material
  }

  /// Portraits first, beside them the selfies, then the documents.
  static func pictures(of images: [ReviewRecord.Image]) -> [Shown] {
    images.filter(\.hasPortrait).map { Shown(image: $0.id, isPortrait: true) }
      + images.filter(\.isFace).map { Shown(image: $0.id, isPortrait: false) }
      + images.filter { !$0.isFace }.map { Shown(image: $0.id, isPortrait: false) }
  }

  private var facts: [CaseMaterial.Fact] {
    let customer = record.customer
    let name = [customer.firstName, customer.middleName, customer.lastName]
      .compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " ")
    let facts: [CaseMaterial.Fact?] = [
      .init("name", name), .init("registered_name", record.registeredName == name ? nil : record.registeredName),
      .init("birth_date", customer.dateOfBirth?.description), .init("nationality", customer.nationalityCode),
      .init("sex", customer.gender?.rawValue), .init("phone", customer.contactNo), .init("email", customer.email),
      .init("device", customer.deviceID), .init("platform", customer.platform.rawValue),
      record.reason.map { reason in
        CaseMaterial.Fact(
          "reason", Phrase("reason_" + reason.rawValue.replacing("-", with: "_"), otherwise: reason.rawValue))
      },
    ]
    return facts.compactMap(\.self)
  }

  private static func portrait(of image: ReviewRecord.Image) -> CaseMaterial.Picture {
    CaseMaterial.Picture(.face, Phrase("picture_portrait_of", of: Phrase(picture: image.type.rawValue)))
  }

  private static func picture(_ image: ReviewRecord.Image) -> CaseMaterial.Picture {
    var picture = CaseMaterial.Picture(
      image.isFace ? .face : .document, named: image.subType?.rawValue ?? image.type.rawValue)
    if let liveness = image.liveness {
      let result = Self.result(of: liveness.result)
      picture.checks = [.init("liveness", result, score: liveness.score)]
      picture.note = Phrase("result_\(result)")
    }
    guard let reading = image.reading else { return picture }
    if reading != reading.withoutHints { picture.note = Phrase("picture_of_app") }
    picture.size = (image.width, image.height)
    picture.marks = marks(of: reading)
    picture.fields = fields(of: reading)
    picture.checks = reading.checks.map { .init($0.code.rawValue, $0.result.rawValue, reasons: $0.fields) }
    return picture
  }

  private static func result(of liveness: RubixWire.LivenessResult) -> String {
    switch liveness {
    case .live: "pass"
    case .spoof: "fail"
    default: "inconclusive"
    }
  }

  /// Where fields were read. A page that was not outlined shows none.
  private static func marks(of reading: DocumentReading) -> [CaseMaterial.Mark] {
    func mark(_ field: String, _ region: Region) -> CaseMaterial.Mark? {
      reading.page.place(of: region).map { .init(field, $0.map { (x: $0.x, y: $0.y) }) }
    }
    var marks: [CaseMaterial.Mark?] = VisualZone.Field.allCases.map { field in
      reading.visualZone?.values[field].flatMap { mark(field.rawValue, $0.region) }
    }
    if let mrz = reading.mrz, mrz.source != .client { marks.append(mark("mrz", mrz.region)) }
    if let portrait = reading.portrait { marks.append(mark("portrait", portrait.region)) }
    return marks.compactMap(\.self)
  }

  /// Each field by the zone or the barcode, and by print. A field has a mark where a check compared it.
  private static func fields(of reading: DocumentReading) -> [CaseMaterial.Field] {
    let (zone, licence, print) = (reading.mrz?.fields, reading.barcode?.licence, reading.visualZone)
    func agreement(_ field: String) -> CaseMaterial.Field.Agreement? {
      switch reading.comparison(of: field) {
      case .pass: .same
      case .fail: .different
      case .review, .inconclusive: .unclear
      case nil: nil
      }
    }
    let rows: [(name: String, compared: String, machine: String?, printed: String?)] = [
      ("surname", "name", zone?.surname ?? licence?.name.family, print?[.surname]),
      ("given_names", "name", zone?.givenNames ?? reading.barcode?.givenNames, print?[.givenNames]),
      ("document_number", "document_number", zone?.documentNumber ?? licence?.number, print?[.documentNumber]),
      (
        "birth_date", "birth_date", zone?.birthDate?.isoText ?? zone?.birthDateRaw ?? licence?.birthDate?.isoText,
        print?[.birthDate]
      ),
      (
        "expiry_date", "expiry_date", zone?.expiryDate?.isoText ?? zone?.expiryDateRaw ?? licence?.expiryDate?.isoText,
        print?[.expiryDate]
      ),
      ("issue_date", "issue_date", licence?.issueDate?.isoText, print?[.issueDate]),
      ("sex", "sex", zone?.sexText ?? licence?.sex?.rawValue, print?[.sex]),
      ("nationality", "nationality", zone?.nationality, print?[.nationality]),
      ("issuing_state", "issuing_state", zone?.issuingState, nil),
      ("personal_number", "personal_number", zone?.optionalData1, print?[.personalNumber]),
      ("address", "address", nil, print?[.address]), ("categories", "categories", nil, print?[.categories]),
      ("mrz", "mrz", reading.mrz?.lines.joined(separator: "\n"), nil),
      ("alternatives", "alternatives", reading.mrz.flatMap(alternatives), nil),
    ]
    return rows.filter { $0.machine != nil || $0.printed != nil }.map {
      .init($0.name, machine: $0.machine, printed: $0.printed, agreement($0.compared))
    }
  }

  /// `2:9 8 / B`: line, place, the character that was taken and the one that fitted nearly as well.
  private static func alternatives(_ zone: Evidence.MRZReading) -> String? {
    let shownMax = 20
    let texts = zone.alternatives.prefix(shownMax).map { "\($0.line + 1):\($0.position + 1) \($0.from) / \($0.to)" }
    return texts.isEmpty ? nil : texts.joined(separator: "\n")
  }
}

extension ReviewRecord.Image {
  var isFace: Bool { type == .selfie || type == .liveness }
}

extension Phrase {
  /// Words with a name of a picture in them.
  fileprivate init(_ key: String, of name: Phrase) { self.init(key, ["name": name.text]) }

  fileprivate init(picture name: String) { self.init("picture_" + name.lowercased(), otherwise: name) }
}
