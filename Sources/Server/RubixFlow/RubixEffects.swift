// SPDX-License-Identifier: Apache-2.0

import Delivery
import DocumentCore
import Evidence
import Foundation
import Identity
import Kit
import RubixWire
import Scheduling
import Storage

/// What the worker does for this flow. Every effect is idempotent.
package struct RubixEffects: Sendable {
  let core: CoreDependencies
  let tenants: Tenants
  let passcodes: Passcodes
  let applications: Applications
  let evidence: EvidenceReader
  let messenger: Messenger
  let texts: MessageTexts

  /// A refresh token came twice: one of the two callers may be a thief.
  static let notifySessionEnded = "rubix.notifySessionEnded"

  package var handlers: [String: OutboxWorker.Handler] {
    [
      "rubix.\(ImageEffect.readDocument.rawValue)": readDocument,
      "rubix.\(ContactEffect.sendPasscode.rawValue)": sendPasscode,
      "rubix.\(ApplicationEffect.notifyCompleted.rawValue)": { try await notify(.applicationCompleted, $0) },
      "rubix.\(ApplicationEffect.notifyRejected.rawValue)": { try await notify(.applicationRejected, $0) },
      "rubix.\(ApplicationEffect.notifyInReview.rawValue)": { try await notify(.applicationInReview, $0) },
      "rubix.\(ApplicationEffect.notifyContinued.rawValue)": { try await notify(.applicationContinued, $0) },
      "rubix.\(ApplicationEffect.notifyCallAgain.rawValue)": { try await notify(.callAgain, $0) },
      "rubix.\(ApplicationEffect.notifyRetake.rawValue)": notifyRetake,
      Self.notifySessionEnded: { try await notify(.sessionEnded, $0) },
      CallReminder.topic: remindOfCall,
      CallReminder.cancelledTopic: { try await notify(.callCancelled, $0) },
      "rubix.\(ApplicationEffect.scheduleErasure.rawValue)": eraseImages,
      ImageDeletion.topic: ImageDeletion(core: core).perform,
    ]
  }

  /// Reads a document's image and keeps what it says. Read twice, it says the same.
  private func readDocument(_ item: OutboxItem) async throws {
    let id = CapturedImage.ID(rawValue: item.subject)
    let tenant = try tenants.find(item.payload)
    guard
      let (image, hints) = try await core.database.read({
        try ImageStore($0, vault: core.vault).toRead(id)
      }), let kind = Evidence.DocumentKind(rawValue: image.type.rawValue)
    else { return }
    let today = tenant.today(at: core.world.now())
    let day = CalendarDate(year: today.year, month: today.month, day: today.day) ?? .epoch
    let document = try await evidence.read(core.openImage(image.blobKey), as: kind, on: day)
    let reading = document.reading.completed(mrz: hints?.mrz, barcode: hints?.barcode, on: day)
    if let portrait = document.portrait {
      do { try await core.keepImage(portrait, as: image.portraitKey, of: image.application) } catch let problem
        as Problem where problem == .notFound
      {
        // Erased meanwhile: there is no key that could seal it, and nothing to keep.
        return
      }
    }
    let isKept = try await core.database.write(retrying: .outdated) { tx in
      try ImageStore(tx, vault: core.vault).setReading(
        core.vault.seal(reading, as: StoredReading.context(id), of: image.application.keySubject, in: tx),
        hasPortrait: document.portrait != nil, of: id,
        at: core.world.now())
    }
    // Replaced, erased, or read by another worker meanwhile; of an erased one no portrait may stay behind.
    if !isKept, try await core.database.read({ try !ImageStore.isKept(id.rawValue, in: $0) }) {
      try await core.blobs.delete(image.portraitKey)
    }
  }

  /// Makes the code at the moment it leaves, so that it is nowhere in clear before; a repetition says the same again.
  private func sendPasscode(_ item: OutboxItem) async throws {
    let order = try JSONDecoder().decode(SendPasscode.self, from: Data(item.payload.utf8))
    let tenant = try tenants.find(order.tenant)
    let issued = try await core.database.write(retrying: .outdated) { tx -> (IssuedPasscode, Application, String)? in
      let application = try ApplicationStore(tx, vault: core.vault).find(
        .init(rawValue: item.subject), tenant: tenant.id)
      guard let destination = ContactCommands.destination(order.channel, application) else { return nil }
      return try passcodes.issue(.init(rawValue: order.passcode), to: destination, in: tx).map {
        ($0, application, destination)
      }
    }
    guard let (passcode, application, destination) = issued else { return }
    let seconds = (passcode.expiresAt - core.world.now()).milliseconds / 1000
    let minutes = max(1, Int(seconds + 30) / 60)
    var message = try texts.of(TenantID("rubix", tenant.id)).message(
      .confirmContact(code: passcode.code, minutes: minutes), by: order.channel == .sms ? .sms : .email,
      to: destination, from: tenant.messageSender,
      locale: application.applicant.locale ?? "en")
    message.id = item.id.rawValue
    message.about = item.subject
    message.tenant = TenantID("rubix", tenant.id)
    try await messenger.send(message)
  }

  /// Tells the customer by e-mail, or by SMS where only the phone is confirmed. Another contact may be a stranger's.
  private func notify(_ notice: Notice, _ item: OutboxItem) async throws {
    try await notify(notice, item, tenants.find(item.payload))
  }

  /// Nothing where the pictures have come meanwhile.
  private func notifyRetake(_ item: OutboxItem) async throws {
    let tenant = try tenants.find(item.payload)
    let words = try await core.database.read { tx in
      try ApplicationStore(tx, vault: core.vault).find(.init(rawValue: item.subject), tenant: tenant.id)
        .applicant.retakeWords
    }
    if let words { try await notify(.retakeAsked(words: words), item, tenant) }
  }

  private func notify(_ notice: Notice, _ item: OutboxItem, _ tenant: Tenant) async throws {
    let application = try await core.database.read { tx in
      try ApplicationStore(tx, vault: core.vault).find(.init(rawValue: item.subject), tenant: tenant.id)
    }
    let channel: OTPChannel = application.email == .confirmed ? .email : .sms
    guard application.contact(channel) == .confirmed,
      let destination = ContactCommands.destination(channel, application)
    else { return }
    var message = try texts.of(TenantID("rubix", tenant.id)).message(
      notice, by: channel == .email ? .email : .sms, to: destination, from: tenant.messageSender,
      locale: application.applicant.locale ?? "en")
    message.id = item.id.rawValue
    message.about = item.subject
    message.tenant = TenantID("rubix", tenant.id)
    try await messenger.send(message)
  }

  /// Nothing of a call that was moved, called off or begun meanwhile.
  private func remindOfCall(_ item: OutboxItem) async throws {
    let reminder = try JSONDecoder().decode(CallReminder.self, from: Data(item.payload.utf8))
    let tenant = try tenants.find(reminder.tenant)
    let calendar = try applications.appointments(of: tenant)
    guard let call = try await core.database.read({ try calendar.find(.init(rawValue: reminder.call), in: $0) }),
      call.status == .scheduled, call.callTime > core.world.now(),
      let time = calendar.policy.localTime.text(call.callTime)
    else { return }
    try await notify(.callReminder(time: time), item, tenant)
  }

  /// Gives up the images of an application that came to nothing, once their retention is over.
  private func eraseImages(_ item: OutboxItem) async throws {
    let id = Application.ID(rawValue: item.subject)
    try await core.database.write(retrying: .outdated) { tx in
      let images = try ImageStore(tx, vault: core.vault).eraseImages(of: id, at: core.world.now())
      guard !images.isEmpty else { return }
      try forgetTraits(of: id, tenant: item.payload, in: tx)
      try ApplicationStore(tx, vault: core.vault).touch(id)
      try ImageDeletion(core: core).owe(images, of: id.rawValue, in: tx)
      try core.audit.append(
        "images.erased", to: id.rawValue, by: "system", facts: ["count": "\(images.count)"], in: tx)
    }
  }

  /// Digests go with what they are of. The number of a document stays with the file where the evaluation kept it there.
  private func forgetTraits(of id: Application.ID, tenant: String, in tx: any SQLTransaction) throws {
    let store = TraitStore(tx, vault: core.vault)
    try store.delete(.picture, of: id)
    let application = try ApplicationStore(tx, vault: core.vault).find(id, tenant: tenant)
    if application.applicant.verified == nil { try store.delete(.document, of: id) }
  }

  /// Ends the applications whose time has run out. Run regularly by the worker.
  package func sweepLapsed() async throws {
    let (now, vault) = (core.world.now(), core.vault)
    try await core.database.writeEachDue(paging: .behindLast, retrying: .outdated) { place, tx in
      try ApplicationStore(tx, vault: vault).lapsed(before: now, after: place.last, limit: place.limit)
    } do: { [applications, tenants] due, tx in
      guard let tenant = try? tenants.find(due.tenant) else { return }
      var dossier = try applications.load(due.id, tenant: tenant, in: tx)
      try applications.lapse(&dossier, in: tx)
    }
  }
}

extension Tenant {
  var messageSender: MessageSender {
    get throws { try MessageSender(name: name, host: host) }
  }
}
