// SPDX-License-Identifier: Apache-2.0

import Console
import Evidence
import RubixFlow
import RubixWire

/// The evidence of an application, as a case page shows it.
struct ApplicationCaseDetails {
  /// A picture that is shown: an image, or the portrait that was cut out of it.
  struct Shown: Sendable {
    let image: RubixFlow.CapturedImage.ID
    let isPortrait: Bool
  }

  private let record: ReviewRecord

  init(_ record: ReviewRecord) { self.record = record }

  var material: CaseDetails {
    var material = CaseDetails()
    material.facts = facts
    material.pictures = Self.pictures(of: record.images).compactMap { shown in
      record.images.first { $0.id == shown.image }.map { shown.isPortrait ? Self.portrait(of: $0) : Self.picture($0) }
    }
    material.checks = (record.outcome?.rules ?? []).map(CaseDetails.Check.init)
    material.filled = record.forms.map { form in
      .init(
        Phrase("filled_\(form.kind.rawValue)"), revision: form.revision, at: form.submittedAt,
        form.answers.map(Self.fact))
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

  private var facts: [CaseDetails.Fact] {
    let customer = record.customer
    let name = [customer.firstName, customer.middleName, customer.lastName]
      .compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " ")
    let facts: [CaseDetails.Fact?] = [
      .init("name", name), .init("registered_name", record.registeredName == name ? nil : record.registeredName),
      .init("birth_date", customer.dateOfBirth?.description), .init("nationality", customer.nationalityCode),
      .init("sex", customer.gender?.rawValue), .init("phone", customer.contactNo), .init("email", customer.email),
      .init("device", customer.deviceID), .init("platform", customer.platform.rawValue),
      record.reason.map { reason in
        CaseDetails.Fact(
          "reason", Phrase("reason_" + reason.rawValue.replacing("-", with: "_"), otherwise: reason.rawValue))
      },
    ]
    return facts.compactMap(\.self)
  }

  private static func fact(_ answer: FilledForm.Answer) -> CaseDetails.Fact {
    let question = Phrase(english: answer.question.english, arabic: answer.question.arabic)
    return switch answer.value {
    case .yes: .init(labelled: question, Phrase("answer_yes"))
    case .no: .init(labelled: question, Phrase("answer_no"))
    case .words(let words):
      .init(
        labelled: question,
        Phrase(plain: words.map { Phrase(english: $0.english, arabic: $0.arabic).text }.joined(separator: ", ")))
    }
  }

  private static func portrait(of image: ReviewRecord.Image) -> CaseDetails.Picture {
    CaseDetails.Picture(.face, .portrait(of: image.type.rawValue))
  }

  private static func picture(_ image: ReviewRecord.Image) -> CaseDetails.Picture {
    var picture = CaseDetails.Picture(
      image.isFace ? .face : .document, named: image.subType?.rawValue ?? image.type.rawValue)
    if let liveness = image.liveness {
      let result = Self.result(of: liveness.result)
      picture.checks = [.init("liveness", result, score: liveness.score)]
      picture.note = Phrase("result_\(result)")
    }
    guard let reading = image.reading else { return picture }
    if reading != reading.withoutHints {
      picture.note = Phrase("picture_of_app")
    } else if reading.barcode == nil, reading.check(.barcodeConsistency) != nil {
      picture.note = Phrase("picture_other_barcode")
    }
    picture.show(reading, width: image.width, height: image.height)
    return picture
  }

  private static func result(of liveness: RubixWire.LivenessResult) -> String {
    switch liveness {
    case .live: "pass"
    case .spoof: "fail"
    default: "inconclusive"
    }
  }
}

extension ReviewRecord.Image {
  var isFace: Bool { type == .selfie || type == .liveness }
}
