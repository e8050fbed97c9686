// SPDX-License-Identifier: Apache-2.0

import Foundation
import RubixWire
import Kit
import Storage
import Testing

@testable import RubixFlow

@Suite("Rubix: the store of images")
struct ImageStoreTests {
  @Test("an image comes back as it was written, and only to its application")
  func roundTrip() async throws {
    let (app, customer, session) = try await Self.opened()
    let image = Self.image(.passport, of: customer, in: session, app)
    let other = try await app.customer(at: .registered)
    let (found, others) = try await app.core.database.write { [app] tx in
      let store = ImageStore(tx, vault: app.core.vault)
      try store.insert(image, clientHints: nil)
      return (try store.find(image.id, of: customer.id), try? store.find(image.id, of: other.id))
    }
    #expect(found.type == .passport && found.subType == nil && found.state == .processing)
    #expect(found.width == 1600 && found.height == 1200 && found.sha256 == "ab")
    #expect(found.quality == image.quality && found.liveness == image.liveness && !found.isRead)
    #expect(others == nil)
  }

  @Test("a new image of a side takes the place of the one before it; other sides stay")
  func replaces() async throws {
    let (app, customer, session) = try await Self.opened()
    let (front, back) = (
      Self.image(.nationalIDFrontSide, of: customer, in: session, app),
      Self.image(.nationalIDBackSide, of: customer, in: session, app)
    )
    let again = Self.image(.nationalIDFrontSide, of: customer, in: session, app)
    let (current, count, replaced) = try await app.core.database.write { [app] tx in
      let store = ImageStore(tx, vault: app.core.vault)
      try Self.take([front, back, again], of: customer, app, in: tx)
      return (
        try store.current(of: customer.id).map(\.id), try store.count(.nationalIDFrontSide, of: customer.id),
        try store.find(front.id, of: customer.id).state
      )
    }
    #expect(Set(current) == [back.id, again.id])
    #expect(count == 2)
    #expect(replaced == .archived)
  }

  @Test("the three selfies stand side by side")
  func selfies() async throws {
    let (app, customer, session) = try await Self.opened()
    let images = SelfieSubType.known.map { Self.image(.selfie, $0, of: customer, in: session, app) }
    let current = try await app.core.database.write { [app] tx in
      let store = ImageStore(tx, vault: app.core.vault)
      for image in images { try store.insert(image, clientHints: nil) }
      return try store.current(of: customer.id).map(\.subType)
    }
    #expect(Set(current) == Set(SelfieSubType.known))
  }

  @Test("an archived session takes its images with it, and another may begin")
  func archives() async throws {
    let (app, customer, session) = try await Self.opened()
    let image = Self.image(.passport, of: customer, in: session, app)
    let next = CaptureSession(id: .init(app.core.world), application: customer.id, createdAt: app.clock.now)
    let (active, current, toRead) = try await app.core.database.write { [app] tx in
      let store = ImageStore(tx, vault: app.core.vault)
      let dossier = try Self.take([image], of: customer, app, in: tx)
      try app.rubix.applications.replace(dossier.images, of: dossier, in: tx)
      try store.archive(session.id)
      try store.insert(next)
      return (
        try store.activeSession(of: customer.id)?.id, try store.current(of: customer.id).count,
        try store.toRead(image.id)?.image.id
      )
    }
    #expect(active == next.id)
    #expect(current == 0)
    #expect(toRead == nil)
  }

  @Test("a second active session is refused by the schema itself")
  func oneSession() async throws {
    let (app, customer, _) = try await Self.opened()
    let second = CaptureSession(id: .init(app.core.world), application: customer.id, createdAt: app.clock.now)
    await #expect(throws: SQLError.self) {
      try await app.core.database.write { [app] tx in
        try ImageStore(tx, vault: app.core.vault).insert(second)
      }
    }
  }

  @Test("what was read of a replaced image is not kept, and a reading is kept once")
  func readings() async throws {
    let (app, customer, session) = try await Self.opened()
    let (first, second) = (
      Self.image(.passport, of: customer, in: session, app), Self.image(.passport, of: customer, in: session, app)
    )
    let (late, kept, again) = try await app.core.database.write { [app] tx in
      let store = ImageStore(tx, vault: app.core.vault)
      try Self.take([first, second], of: customer, app, in: tx)
      try store.setReading(Data("late".utf8), hasPortrait: true, of: first.id, at: app.clock.now)
      try store.setReading(Data("read".utf8), hasPortrait: true, of: second.id, at: app.clock.now)
      try store.setReading(Data("twice".utf8), hasPortrait: false, of: second.id, at: app.clock.now)
      return (
        try store.sealedReading(of: first.id), try store.sealedReading(of: second.id),
        try store.toRead(second.id)?.image.id
      )
    }
    #expect(late == nil)
    #expect(kept == Data("read".utf8))
    #expect(again == nil)
  }

  @Test("an image moves by its table only, and not twice from one state")
  func moves() async throws {
    let (app, customer, session) = try await Self.opened()
    let image = Self.image(.passport, of: customer, in: session, app)
    try await app.core.database.write { [app] tx in
      let store = ImageStore(tx, vault: app.core.vault)
      try store.insert(image, clientHints: nil)
      func moved(_ image: CapturedImage, on event: ImageEvent) throws -> CapturedImage {
        var moved = image
        let machine = ImageMachine(image, of: app.tenant, vault: app.core.vault)
        try app.core.mover.move(&moved, on: event, of: machine, by: "system", in: tx)
        return moved
      }
      #expect(try moved(image, on: .accepted).state == .processed)
      #expect(throws: SQLError.outdated) { try moved(image, on: .refused) }
      let processed = try store.find(image.id, of: customer.id)
      #expect(processed.state == .processed)
      #expect(throws: IllegalMove.self) { try moved(processed, on: .accepted) }
    }
  }

  @Test("erasure names every image once and deletes what was read; none is found any more")
  func erases() async throws {
    let (app, customer, session) = try await Self.opened()
    let image = Self.image(.passport, of: customer, in: session, app)
    let (erased, again, reading, kept, refusal) = try await app.core.database.write { [app] tx in
      let store = ImageStore(tx, vault: app.core.vault)
      try store.insert(image, clientHints: Data("hint".utf8))
      try store.setReading(Data("read".utf8), hasPortrait: true, of: image.id, at: app.clock.now)
      let erased = try store.eraseImages(of: customer.id, at: app.clock.now)
      let again = try store.eraseImages(of: customer.id, at: app.clock.now)
      let refusal = #expect(throws: Problem.self) { try store.find(image.id, of: customer.id) }
      return (
        erased, again, try store.sealedReading(of: image.id), try ImageStore.isKept(image.id.rawValue, in: tx), refusal
      )
    }
    #expect(erased == [image.id])
    #expect(again.isEmpty)
    #expect(
      CapturedImage.blobKeys(image.id) == [image.blobKey, image.portraitKey, CapturedImage.originalKey(image.id)])
    #expect(reading == nil && !kept)
    #expect(refusal == .notFound)
  }

  @Test("objects of a row stay until it is erased, its portrait if there is or may be one; what no row names goes")
  func referenced() async throws {
    let (app, customer, session) = try await Self.opened()
    let images = (0..<40).map { _ in Self.image(.passport, of: customer, in: session, app) }
    let strangers = (0..<20).map { _ in CapturedImage.ID(app.core.world).rawValue }
    let keys = images.flatMap { [$0.blobKey, $0.portraitKey, CapturedImage.originalKey($0.id)] }
    let asked = keys + strangers + strangers.map { "\($0)-portrait" } + ["short", "\(images[0].blobKey)-other"]
    let (last, before) = (images[39], images[38])
    let (unread, read, erased, none) = try await app.core.database.write { [app] tx in
      let store = ImageStore(tx, vault: app.core.vault)
      try Self.take(images, of: customer, app, in: tx)
      let unread = try ImageStore.referenced(asked, in: tx)
      try store.setReading(Data("read".utf8), hasPortrait: true, of: last.id, at: app.clock.now)
      let read = try ImageStore.referenced(asked, in: tx)
      _ = try store.eraseImages(of: customer.id, at: app.clock.now)
      return (unread, read, try ImageStore.referenced(asked, in: tx), try ImageStore.referenced([], in: tx))
    }
    let portraits = Set(images.map(\.portraitKey))
    // Every image but the last was replaced by the next one, so that the worker does not read it any more.
    #expect(unread == Set(keys).subtracting(portraits).union([last.portraitKey]))
    #expect(read == unread && !read.contains(before.portraitKey))
    #expect(erased.isEmpty && none.isEmpty)
  }

  private static func opened() async throws -> (AgentTestApp, Customer, CaptureSession) {
    let app = try await AgentTestApp()
    let customer = try await app.customer(at: .collectingDocuments)
    let session = CaptureSession(id: .init(app.core.world), application: customer.id, createdAt: app.clock.now)
    try await app.core.database.write { [app] tx in
      try ImageStore(tx, vault: app.core.vault).insert(session)
    }
    return (app, customer, session)
  }

  /// Stores images as a command does: each in the place of the one before it.
  @discardableResult
  private static func take(
    _ images: [CapturedImage], of customer: Customer, _ app: AgentTestApp, in tx: any SQLTransaction
  ) throws -> Dossier {
    var dossier = try app.rubix.applications.load(customer.id, tenant: customer.tenant, in: tx)
    for var image in images {
      image.state = .pending
      try app.rubix.applications.take(&image, on: .taken, of: &dossier, in: tx)
    }
    return dossier
  }

  private static func image(
    _ type: DocumentType, _ subType: SelfieSubType? = nil, of customer: Customer, in session: CaptureSession,
    _ app: AgentTestApp
  ) -> CapturedImage {
    CapturedImage(
      id: .init(app.core.world), application: customer.id, session: session.id, type: type, subType: subType,
      state: .processing, width: 1600, height: 1200, sha256: "ab",
      quality: RubixWire.ImageQuality(sharpness: 0.5, glare: 0.1, crop: .ok, exposure: 0.4),
      liveness: LivenessOutcome(result: .init(rawValue: "live"), score: 0.9), isRead: false, hasPortrait: false,
      createdAt: app.clock.now)
  }
}
