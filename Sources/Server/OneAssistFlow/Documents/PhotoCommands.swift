import Foundation
import Kit
import OneAssistCore
import OneAssistWire
import Storage

/// Takes photos in, from the app and from the second phone: admit, work, commit (oneassist §6.1, §8.2).
struct PhotoCommands: Sendable {
  private let room: OneAssistService
  private var parts: OneAssistDependencies { room.parts }

  init(_ room: OneAssistService) { self.room = room }

  /// What became of an upload. A photo that is refused for its code is kept, as evidence, and counts as missing.
  struct Outcome: Sendable {
    let photo: Photo
    let status: MembershipStatus
    /// Whether the same file was there before.
    var isRepetition = false

    /// What to say of a photo whose code is wrong.
    var problem: Problem? {
      guard photo.status == .refused, let verdict = photo.verdict else { return nil }
      switch verdict {
      case .mismatch:
        return Problem.oneAssist(
          .unprocessable, "CODE_MISMATCH", "The code in the photo is not the one of this phone's secure screen."
        ).standing(status)
      case .expired:
        return Problem.oneAssist(
          .unprocessable, "CODE_EXPIRED", "The code in the photo is too old. Photograph the secure screen as it is now."
        ).standing(status)
      case .verified, .unreadable: return nil
      }
    }
  }

  /// - Parameters:
  ///   - find: whose photo it is; asked in each transaction, so that what ended meanwhile is not served.
  ///   - second: whether it comes from the second phone.
  /// - Throws: `Problem` of the photo; DOCUMENT_UNKNOWN; DOCUMENT_ALREADY_ACCEPTED; MEMBERSHIP_STATUS_CHANGED;
  ///   RATE_LIMITED.
  func upload(
    _ name: String?, _ bytes: Data, fromSecond second: Bool, by actor: String,
    find: @escaping @Sendable (any SQLTransaction) throws -> Membership
  ) async throws -> Outcome {
    guard let name = DocumentName(rawValue: name ?? ""),
      let required = RequiredPhoto.all.first(where: { $0.name == name }), required.isTakenBySecond || !second
    else { throw Problem.member("/name", "DOCUMENT_UNKNOWN", "There is no such document.") }
    // Admit: before any work is done for somebody who may not.
    let (membership, known) = try await parts.database.read { tx in
      let membership = try find(tx)
      return (membership, try admitted(bytes, as: name, membership, in: tx))
    }
    if let known { return Outcome(photo: known, status: membership.status, isRepetition: true) }
    do { try room.rates.spend(parts.policy.uploads, by: membership.id.rawValue) } catch let problem as Problem {
      throw problem.standing(membership.status)
    }
    // Work: nothing is held meanwhile.
    let picture = try await inspected(bytes, standing: membership.status)
    let arrival = parts.world.now()
    let digits = name == .screenImage ? try await parts.ports.readCode.read(picture) : nil
    let id = Photo.ID(parts.world)
    try await parts.blobs.put(id.rawValue, try parts.vault.seal(picture, context: Photo.context(id)))
    // Commit: the row, what it leads to, and the line that says so.
    return try await parts.database.write(retrying: .outdated) { [parts] tx in
      var membership = try find(tx)
      if let known = try admitted(bytes, as: name, membership, in: tx) {
        return Outcome(photo: known, status: membership.status, isRepetition: true)
      }
      var photo = Photo(
        id: id, membership: membership.id, name: name, status: .uploaded, reason: nil, verdict: nil,
        fileDigest: parts.digest(file: bytes, of: membership.id), uploadedAt: arrival)
      let store = DocumentStore(tx)
      if let old = try store.current(name, of: membership.id) { try store.replace(old, at: arrival) }
      if name == .screenImage {
        try judge(&photo, digits, &membership, by: actor, in: tx)
      }
      try store.insert(photo)
      var facts = ["document": id.rawValue, "name": name.rawValue, "status": photo.status.rawValue]
      facts["code"] = photo.verdict?.rawValue
      try parts.note("document.uploaded", membership.id, by: actor, facts, in: tx)
      try MembershipService(parts: parts).advance(&membership, by: actor, in: tx)
      return Outcome(photo: photo, status: membership.status)
    }
  }

  /// What the code says of a photo, and of whoever sends such photos.
  private func judge(
    _ photo: inout Photo, _ digits: String?, _ membership: inout Membership, by actor: String,
    in tx: any SQLTransaction
  ) throws {
    let verdict = try ScreenCommands(parts: parts).verdict(digits, at: photo.uploadedAt, of: membership, in: tx)
    photo.verdict = verdict
    guard verdict == .mismatch || verdict == .expired else { return }
    photo.status = .refused
    photo.reason =
      verdict == .mismatch
      ? "The code is not the one of this phone's secure screen." : "The code is too old: photograph it as it is now."
    guard verdict == .mismatch else { return }
    let book = MembershipService(parts: parts)
    membership.mismatches += 1
    if membership.mismatches >= parts.policy.mismatchesSuspicious {
      try book.flag(.codeMismatch, &membership, by: actor, in: tx)
    }
    try book.save(&membership, in: tx)
  }

  /// - Returns: the photo that is there already when it is the same file.
  private func admitted(
    _ bytes: Data, as name: DocumentName, _ membership: Membership, in tx: any SQLTransaction
  ) throws -> Photo? {
    let old = try DocumentStore(tx).current(name, of: membership.id)
    // The same file again gets the same answer, also when the first one ended the upload.
    if let old, old.fileDigest == parts.digest(file: bytes, of: membership.id), old.status != .refused { return old }
    // The SDK sends its screenshot before anything else is known.
    let call: ActivationCall = name == .imeiScreenshot ? .fetchDeviceId : .sendUploadLink
    guard call.statuses.contains(membership.status) else { throw Problem.statusChanged.standing(membership.status) }
    guard old?.status != .accepted else {
      throw Problem.oneAssist(.conflict, "DOCUMENT_ALREADY_ACCEPTED", "This photo was accepted already.")
        .standing(membership.status)
    }
    // All are kept, as evidence: there is an end to it. A person is needed then, and a day is the longest wait to tell.
    guard try DocumentStore(tx).count(of: membership.id) < parts.policy.photosMax else {
      throw Problem.oneAssist(.rateLimited, "RATE_LIMITED", "Too many photos were sent for this phone.")
        .with { $0.retryAfterSeconds = 86_400 }.standing(membership.status)
    }
    return nil
  }

  private func inspected(_ bytes: Data, standing status: MembershipStatus) async throws -> Data {
    let photo: PhotoInspector.Photo
    do {
      guard bytes.count <= OneAssistPolicy.photoMax else { throw Problem.photoTooLarge }
      photo = try await parts.ports.photos.inspect(bytes)
    } catch let problem as Problem { throw problem.standing(status) }
    if photo.isBlank {
      throw Problem.oneAssist(.unprocessable, "IMAGE_BLANK", "Nothing can be seen in the photo.").standing(status)
    }
    if photo.isBlurred {
      throw Problem.oneAssist(
        .unprocessable, "IMAGE_BLURRED", "The photo is blurred. Hold still and let the camera focus."
      ).standing(status)
    }
    return photo.bytes
  }
}

extension Problem {
  package static let photoTooLarge = oneAssist(
    .payloadTooLarge, "IMAGE_TOO_LARGE", "The photo is larger than 5 MB. Choose a smaller one.")
  package static let photoTooSmall = oneAssist(
    .unprocessable, "IMAGE_TOO_SMALL", "The photo is too small: its longer side needs 1000 pixels.")
  package static let photoUnreadable = oneAssist(
    .unprocessable, "IMAGE_UNREADABLE", "The file is damaged. Take the photo again.")
  package static let photoUnsupported = oneAssist(
    .unsupportedMedia, "IMAGE_UNSUPPORTED", "Only JPEG and PNG pictures are taken.")
}
