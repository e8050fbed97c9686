// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import OneAssistCore
import OneAssistWire
import Storage

/// Takes photos in, from the app and from the second phone: admit, work, commit (oneassist §6.1, §8.2).
struct PhotoCommands: Sendable {
  let core: CoreDependencies
  let policy: OneAssistPolicy
  let rates: NodeRateLimits
  let inspector: PhotoInspector
  let readCode: ScreenCodeReader
  let memberships: MembershipService
  let links: LinkCommands
  let screens: ScreenCommands

  /// Who sends a photo, and of which membership.
  enum Sender: Sendable {
    case app(SDKTokens.Caller, activity: String?)
    /// The holder of a link.
    case secondPhone(token: String)

    var actor: String {
      switch self {
      case .app(let caller, _): caller.actor
      case .secondPhone: "second-phone"
      }
    }
  }

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
        ).withStatus(status)
      case .expired:
        return Problem.oneAssist(
          .unprocessable, "CODE_EXPIRED", "The code in the photo is too old. Photograph the secure screen as it is now."
        ).withStatus(status)
      case .verified, .unreadable: return nil
      }
    }
  }

  /// Refuses what will be refused whatever the photo is: a link or membership that is over, and too many photos. The
  /// same photo again gets its answer, so that one that is there already is told only when the new one was read.
  /// - Throws: `Problem`.
  func admit(_ name: String, from sender: Sender) async throws {
    let name = try required(name, from: sender)
    try await core.database.look { tx in
      let membership = try find(of: sender, in: tx)
      guard try DocumentStore(tx).current(name, of: membership.id) == nil else { return }
      guard !rates.isSpent(policy.uploads, by: membership.id.rawValue) else {
        throw Problem.rateLimited(retryAfterSeconds: policy.uploads.window.wholeSeconds).withStatus(membership.status)
      }
      try requireStatus(name, membership)
      try requireRoom(membership, in: tx)
    }
  }

  private func required(_ name: String?, from sender: Sender) throws -> DocumentName {
    let isSecond = if case .secondPhone = sender { true } else { false }
    guard let name = DocumentName(rawValue: name ?? ""),
      let required = RequiredPhoto.all.first(where: { $0.name == name }), required.isTakenBySecond || !isSecond
    else { throw Problem.member("/name", "DOCUMENT_UNKNOWN", "There is no such document.") }
    return name
  }

  /// - Throws: `Problem` of the photo; DOCUMENT_UNKNOWN; DOCUMENT_ALREADY_ACCEPTED; MEMBERSHIP_STATUS_CHANGED;
  ///   RATE_LIMITED.
  func upload(
    _ name: String?, _ bytes: Data, from sender: Sender
  ) async throws -> Outcome {
    let name = try required(name, from: sender)
    // Admit: what is refused here costs no work.
    let (membership, key, known) = try await core.database.look { [core] tx in
      let membership = try find(of: sender, in: tx)
      // The key of now, so that a photo that is stored after an erasure is sealed under what was destroyed.
      return (
        membership, try core.vault.subjectKey(of: KeySubject(membership.id.rawValue), in: tx),
        try admitted(bytes, as: name, membership, in: tx)
      )
    }
    if let known { return Outcome(photo: known, status: membership.status, isRepetition: true) }
    do { try rates.spend(policy.uploads, by: membership.id.rawValue) } catch let problem as Problem {
      throw problem.withStatus(membership.status)
    }
    // Work: no transaction is open meanwhile.
    let picture = try await inspected(bytes, at: membership.status)
    let arrival = core.world.now()
    let digits = name == .screenImage ? try await readCode.read(picture) : nil
    let id = Photo.ID(core.world)
    try await core.blobs.put(id.rawValue, core.vault.seal(picture, context: Photo.context(id), under: key))
    // Commit: the photo, what follows from it and its audit entry.
    return try await core.database.write(retrying: .outdated) { [core] tx in
      // Found again, so that a membership or link that ended meanwhile takes no photo.
      var membership = try find(of: sender, in: tx)
      if let known = try admitted(bytes, as: name, membership, in: tx) {
        return Outcome(photo: known, status: membership.status, isRepetition: true)
      }
      var photo = Photo(
        id: id, membership: membership.id, name: name, status: .uploaded, reason: nil, verdict: nil,
        fileDigest: core.vault.digest(file: bytes, of: membership.id), uploadedAt: arrival)
      let store = DocumentStore(tx)
      if let old = try store.current(name, of: membership.id) { try store.replace(old, at: arrival) }
      if name == .screenImage {
        try judge(&photo, digits, &membership, by: sender.actor, in: tx)
      }
      try store.insert(photo)
      var facts = ["document": id.rawValue, "name": name.rawValue, "status": photo.status.rawValue]
      facts["code"] = photo.verdict?.rawValue
      try core.audit.note("document.uploaded", membership.id, by: sender.actor, facts, in: tx)
      try memberships.advance(&membership, by: sender.actor, in: tx)
      return Outcome(photo: photo, status: membership.status)
    }
  }

  private func find(of sender: Sender, in tx: any SQLTransaction) throws -> Membership {
    switch sender {
    case .app(let caller, let activity): try memberships.find(activity: activity, of: caller, in: tx)
    case .secondPhone(let token): try links.membership(token, in: tx)
    }
  }

  /// Sets what the code proves of a photo; a photo of another phone also counts on the membership.
  private func judge(
    _ photo: inout Photo, _ digits: String?, _ membership: inout Membership, by actor: String,
    in tx: any SQLTransaction
  ) throws {
    let verdict = try screens.verdict(digits, at: photo.uploadedAt, of: membership, in: tx)
    photo.verdict = verdict
    guard verdict == .mismatch || verdict == .expired else { return }
    photo.status = .refused
    photo.reason =
      verdict == .mismatch
      ? "The code is not the one of this phone's secure screen." : "The code is too old: photograph it as it is now."
    guard verdict == .mismatch else { return }
    membership.mismatches += 1
    if membership.mismatches >= policy.mismatchesSuspicious {
      try memberships.flag(.codeMismatch, &membership, by: actor, in: tx)
    }
    try memberships.save(&membership, in: tx)
  }

  /// - Returns: the photo that is there already when it is the same file.
  private func admitted(
    _ bytes: Data, as name: DocumentName, _ membership: Membership, in tx: any SQLTransaction
  ) throws -> Photo? {
    let old = try DocumentStore(tx).current(name, of: membership.id)
    // The same file again gets the same answer, also when the first one ended the upload.
    if let old, old.fileDigest == core.vault.digest(file: bytes, of: membership.id), old.status != .refused {
      return old
    }
    try requireStatus(name, membership)
    guard old?.status != .accepted else {
      throw Problem.oneAssist(.conflict, "DOCUMENT_ALREADY_ACCEPTED", "This photo was accepted already.")
        .withStatus(membership.status)
    }
    try requireRoom(membership, in: tx)
    return nil
  }

  private func requireStatus(_ name: DocumentName, _ membership: Membership) throws {
    // The SDK sends its screenshot before anything else is known.
    let call: ActivationCall = name == .imeiScreenshot ? .fetchDeviceId : .sendUploadLink
    guard call.statuses.contains(membership.status) else { throw Problem.statusChanged.withStatus(membership.status) }
  }

  /// All photos are kept as evidence, so their number is limited. Only a person can help then; the longest wait that
  /// clients understand is a day.
  private func requireRoom(_ membership: Membership, in tx: any SQLTransaction) throws {
    guard try DocumentStore(tx).count(of: membership.id) < policy.photosMax else {
      throw Problem.oneAssist(.rateLimited, "RATE_LIMITED", "Too many photos were sent for this phone.")
        .with { $0.retryAfterSeconds = 86_400 }.withStatus(membership.status)
    }
  }

  private func inspected(_ bytes: Data, at status: MembershipStatus) async throws -> Data {
    let photo: PhotoInspector.Photo
    do {
      guard bytes.count <= OneAssistPolicy.photoMax else { throw Problem.photoTooLarge }
      photo = try await inspector.inspect(bytes)
    } catch let problem as Problem { throw problem.withStatus(status) }
    if photo.isBlank {
      throw Problem.oneAssist(.unprocessable, "IMAGE_BLANK", "Nothing can be seen in the photo.").withStatus(status)
    }
    if photo.isBlurred {
      throw Problem.oneAssist(
        .unprocessable, "IMAGE_BLURRED", "The photo is blurred. Hold still and let the camera focus."
      ).withStatus(status)
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
