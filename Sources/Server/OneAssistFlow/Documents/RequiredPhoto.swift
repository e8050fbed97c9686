import OneAssistCore
import OneAssistWire

/// A photo that an activation asks for, and how it is explained (oneassist §6.1).
struct RequiredPhoto: Sendable {
  let name: DocumentName
  let displayName: String
  let guide: String
  let panel: String
  let isMandatory: Bool
  /// Whether the second phone takes it; else the SDK does.
  let isTakenBySecond: Bool
  let rank: Int64

  /// In the order to take them in: the last mandatory one ends it, so that what is optional comes before.
  static let all: [RequiredPhoto] = [
    .init(
      name: .imeiScreenshot, displayName: "Screenshot of the IMEI",
      guide: "The app takes it from the phone that is to be covered.", panel: "Device identifiers",
      isMandatory: false, isTakenBySecond: false, rank: 1),
    .init(
      name: .backImage, displayName: "Back of the phone",
      guide: "Take the phone out of its case and photograph the whole back.", panel: "Back, without a case",
      isMandatory: true, isTakenBySecond: true, rank: 2),
    .init(
      name: .invoiceImage, displayName: "Bill", guide: "Photograph the whole bill, flat and in good light.",
      panel: "Bill, if there is one", isMandatory: false, isTakenBySecond: true, rank: 3),
    .init(
      name: .screenImage, displayName: "Front of the phone",
      guide: "Open the secure screen in the app and photograph the whole front, with the number and the code readable.",
      panel: "Front, with the secure screen lit", isMandatory: true, isTakenBySecond: true, rank: 4),
  ]

  /// Whether nothing mandatory is missing or refused.
  static func isComplete(_ photos: [Photo]) -> Bool {
    all.filter(\.isMandatory).allSatisfy { required in
      photos.contains { $0.name == required.name && $0.status != .refused }
    }
  }

  /// As the wire shows it.
  func view(_ photo: Photo?) -> OneAssist.Document {
    var view = OneAssist.Document(name: name.rawValue, status: (photo?.status ?? .missing).rawValue)
    (view.displayName, view.docMandatory) = (displayName, isMandatory ? "Y" : "N")
    (view.guideMessage, view.panelMessage, view.duplicateRequired) = (guide, panel, "N")
    (view.sampleImageName, view.rank) = ("\(name.rawValue.lowercased()).svg", rank)
    view.rejectReason = photo?.status == .refused ? photo?.reason : nil
    return view
  }
}
