// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Foundation
import Kit
import Storage

/// Takes pictures in and lets them go (finaptic §6.1).
struct FileCommands: Sendable {
  /// The effect that lets go of an application's pictures.
  static let forgetting = "finaptic.forgetFiles"
  /// How long an address for an upload counts.
  static let addressLifetime = Duration.minutes(15)
  /// How long a picture stays: with the scheduler's half minute it is gone within a day.
  static let lifetime = Duration.hours(24) - .minutes(5)
  /// Places that one application has in a day: a full application needs three.
  static let placesMax = 100

  let core: CoreDependencies
  let applications: OnboardingService
  let policy: FinapticPolicy

  // MARK: A place

  /// - Parameters:
  ///   - id: made before, so that a transaction that runs again makes one place.
  ///   - token: of 256 bits; only its digest is kept.
  func makePlace(
    _ name: String?, id: UploadedFile.ID, token: String, by caller: OnboardingService.Caller, in tx: any SQLTransaction
  ) throws -> FinapticAPI.FileUploadResponse {
    let application = try applications.find(name, for: caller, in: tx)
    guard !application.status.isTerminal else { throw OnboardingService.outOfOrder(application.status) }
    let (store, now) = (FileStore(tx), core.world.now())
    guard try store.count(of: application.id, since: now - .hours(24)) < Self.placesMax else {
      throw Problem.finaptic(.resourceExhausted, "Too many files for one application; try again tomorrow.")
    }
    let file = UploadedFile(id: id, application: application.id, expiresAt: now + Self.addressLifetime, blob: nil)
    try store.insert(file, token: digest(token), at: now)
    return .init(
      filename: id.rawValue,
      uploadUrl: "\(policy.publicURL)\(FinapticAPI.uploadsPath)/\(token)")
  }

  // MARK: A picture

  /// Whether a token opens a place now, before any of the body is read. An upload that was broken off has filled
  /// nothing: its address stays open.
  /// - Throws: `Problem` permission denied; with the code already exists for a place that has its picture.
  func admit(_ token: String) async throws -> UploadedFile {
    let digest = digest(token)
    let file = try await core.database.read { tx -> UploadedFile? in
      guard let file = try FileStore(tx).find(token: digest),
        let application = try OnboardingStore(tx, vault: core.vault).find(file.application),
        !application.status.isTerminal
      else { return nil }
      return file
    }
    guard let file else { throw Self.closed }
    guard file.blob == nil else { throw Self.filled }
    guard file.expiresAt > core.world.now() else { throw Self.closed }
    return file
  }

  /// Fills a place. The object is durable before the row names it; what loses a race goes again.
  /// - Throws: `Problem` permission denied when another upload was faster, or time; unsupported media.
  func take(_ bytes: Data, into file: UploadedFile) async throws {
    guard PictureFormat.fits(bytes) else { throw Problem.unsupportedPicture }
    let key = core.world.uuid()
    let user = try await core.database.read { tx in
      try OnboardingStore(tx, vault: core.vault).find(file.application)?.user.flatMap {
        try core.vault.subjectKey(of: KeySubject($0), in: tx)
      }
    }
    try await core.blobs.put(key, core.vault.seal(bytes, context: UploadedFile.context(file.id), under: user))
    let isFilled = try await core.database.write(retrying: .outdated) { tx in
      try FileStore(tx).fill(file.id, with: key, at: core.world.now())
    }
    guard isFilled else {
      try await core.blobs.delete(key)
      throw try await core.database.read { try FileStore($0).isFilled(file.id) } ? Self.filled : Self.closed
    }
  }

  /// The picture of a file; nil when it is gone.
  func picture(_ file: UploadedFile) async throws -> Data? {
    guard let key = file.blob, let sealed = try await core.blobs.get(key) else { return nil }
    return try await core.vault.open(sealed, context: UploadedFile.context(file.id), in: core.database)
  }

  // MARK: Letting go

  /// Of an application that has ended. First the objects, then the rows that name them: killed in between, a repetition
  /// finds them again.
  @Sendable
  func forget(_ item: OutboxItem) async throws {
    let id = OnboardingApplication.ID(rawValue: item.subject)
    try await letGo { try FileStore($1).all(of: id, besides: $0.failed.map(\.id), limit: $0.limit) }
  }

  /// Everything that is a day old. A scheduled job.
  func sweep() async throws {
    let horizon = core.world.now() - Self.lifetime
    try await letGo { try FileStore($1).old(before: horizon, besides: $0.failed.map(\.id), limit: $0.limit) }
  }

  /// First the object: one that cannot be deleted keeps its row, for the next time; the others go.
  /// - Throws: the first failure, after the rest was done.
  private func letGo(
    _ due: @escaping @Sendable (DuePage<UploadedFile>, any SQLTransaction) throws -> [UploadedFile]
  ) async throws {
    try await core.database.forEachDue(due) { file in
      if let key = file.blob { try await core.blobs.delete(key) }
      try await core.database.write(retrying: .outdated) { try FileStore($0).delete(file.id) }
    }
  }

  private func digest(_ token: String) -> String { core.vault.digest(token, for: "finaptic upload") }

  /// Expired, of an application that has ended, or never made: the same answer for all.
  private static let closed = Problem.finaptic(.permissionDenied, "This address takes no upload, or no more.")
  /// Shows an app whose upload was answered, but not received, that the picture is there.
  private static let filled = Problem.finaptic(
    .alreadyExists, family: .permissionDenied, "This address has taken its picture.")
}

extension Problem {
  static let unsupportedPicture = Problem(.unsupportedMedia, "unsupported-media", "Only JPEG and PNG are taken.")
}
