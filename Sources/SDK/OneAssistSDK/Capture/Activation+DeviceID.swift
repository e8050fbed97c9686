// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import OneAssistCore
internal import OneAssistWire

extension Activation {
  /// Bytes of a picture that servers take (specification §5.1).
  private static let pictureMax = 5 * 1024 * 1024

  /// Reads this device's numbers from the system's sheet, keeps them, and submits them when the details are known
  /// (§4.3, §5).
  func fetchDeviceId(_ given: UserDetails) async throws(OAError) -> OAAction {
    let details = given.completed(by: order?.details ?? given)
    // Blank arguments ask for nothing; one of the two alone is a mistake.
    let order = try await admitted(.fetchDeviceId, given.isCompletedByOrder ? nil : given.fault(in: .fetchDeviceId))
    let permission = await ports.photos.ask()
    guard permission != .denied else { throw .ERROR_PHOTO_PERMISSION }
    let taken = try await IdentifierCapture(ports: ports, isLimited: permission == .limited).screenshot()
    guard let picture = await ports.pictures.fit(taken, Self.pictureMax) else { throw .ERROR_SCREENSHOT_LOAD }
    let text = try await recognised(picture)
    let allowsTest = configuration.acceptsTestIMEIs
    guard let reading = IMEIReading(text: text, allowsTest: allowsTest) else { throw .ERROR_UNABLE_TO_DO_OCR }
    let kept = KeptIMEI(reading, of: order.activationCode, at: ports.clock.wallTime())
    try await IMEIRecords(ports, allowsTest: allowsTest).keep(kept)
    imei = kept
    upload(picture, of: order)
    // What is given counts, else what the order has already.
    let known = details.isComplete ? details : order.details
    return known.isComplete ? try await send(known, of: order) : .provideUserBasicDetail
  }

  private func recognised(_ picture: Data) async throws(OAError) -> String {
    switch configuration.textRecognizer {
    case .server:
      let client = client
      return try await told { () async throws(CallFailure) in try await client.recognise(picture) }
    case .device(let recognise):
      guard let text = await recognise(picture) else { throw .ERROR_UNABLE_TO_PROCESS_DESC }
      return text
    }
  }

  /// For the reviewer. No call waits for it, and a failure is only logged.
  private func upload(_ picture: Data, of order: KnownOrder) {
    guard let reference = order.activityReference else { return }
    let form = FormBody(
      fields: [
        ("activityReferenceId", reference), ("name", DocumentName.imeiScreenshot.rawValue),
        ("displayName", "Screenshot of the IMEI"), ("fileName", "imei.\(PictureType(picture).suffix)"),
        ("docFileContentType", PictureType(picture).mediaType), ("docMandatory", "N"),
      ], fileField: "file", fileName: "imei", file: picture, boundary: ports.randomness.uuid().uuidString)
    let client = client
    backgroundTask { _ = try? await client.upload(form) }
  }
}
