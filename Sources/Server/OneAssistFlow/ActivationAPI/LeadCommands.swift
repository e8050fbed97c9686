// SPDX-License-Identifier: Apache-2.0

import Kit
import OneAssistCore
import OneAssistWire
import Storage

/// PIN code, address, model and numbers of the phone: `POST lead` (oneassist §8.2).
struct LeadCommands: Sendable {
  let core: CoreDependencies
  let policy: OneAssistPolicy
  let pinCodes: PinCodeDirectory
  let types: TypeDirectory
  let blacklist: Blacklist
  let memberships: MembershipService

  /// What a request brings, checked.
  private struct Details: Sendable {
    var address: String?
    var pinCode: String?
    var model: String?
    var imeis: [IMEI] = []
    var isRepaired = false
    var blacklist = Blacklist.Verdict.clear
  }

  /// The same values again change nothing.
  /// - Throws: `Problem` of each member; MEMBERSHIP_STATUS_CHANGED; IMEI_LOCKED; IMEI_ALREADY_COVERED.
  func submit(
    _ asked: OneAssist.LeadRequest, by caller: SDKTokens.Caller
  ) async throws -> OneAssist.TaskStatus {
    let status = try await core.database.look {
      try memberships.find(order: asked.orderUUID, of: caller, in: $0).status
    }
    let details: Details
    do { details = try await checked(asked) } catch let problem as Problem { throw problem.withStatus(status) }
    // Serializable: another transaction may insert the row of the same phone meanwhile.
    return try await core.database.write(retrying: .outdated, .serializable) { tx in
      var membership = try memberships.find(order: asked.orderUUID, of: caller, in: tx)
      guard ActivationCall.submitBasicDetails.statuses.contains(membership.status) else {
        throw Problem.statusChanged.withStatus(membership.status)
      }
      do { try store(details, in: &membership, by: caller.actor, in: tx) } catch let problem as Problem {
        throw problem.withStatus(membership.status)
      }
      return OneAssist.TaskStatus(taskInfo: .init(status: membership.status.rawValue))
    }
  }

  private func store(
    _ details: Details, in membership: inout Membership, by actor: String, in tx: any SQLTransaction
  ) throws {
    let (before, flags) = (membership.content, membership.flags)
    if let address = details.address { membership.content.address = address }
    if let pinCode = details.pinCode { membership.content.pinCode = pinCode }
    if let model = details.model { membership.content.deviceModel = model }
    if let primary = details.imeis.first {
      let digests = details.imeis.map { core.vault.digest(imei: $0) }
      let store = MembershipStore(tx, vault: core.vault)
      try store.setIMEIs(digests, of: membership.id)
      guard try !store.isCovered(membership, on: core.today.description) else { throw Problem.alreadyCovered }
      let (known, brought) = (
        Set([before.imei, before.imei2].compactMap(\.self)), Set(details.imeis.map(\.digits))
      )
      // The same two numbers in the other order belong to the same phone: either slot may be read first.
      let isChanged = before.imei != nil && before.imei != primary.digits && brought != known
      // The review of the photos holds for that phone only. A number that came as the second one since then was not
      // reviewed, and may not come first in a later call either.
      let reviewed = before.reviewedIMEIs.map { Set($0) } ?? known
      guard membership.reuploads == 0 || (!isChanged && reviewed.contains(primary.digits)) else {
        throw Problem.oneAssist(.conflict, "IMEI_LOCKED", "Photos of another phone were reviewed already.")
      }
      (membership.content.imei, membership.content.imei2) = (primary.digits, details.imeis.dropFirst().first?.digits)
      if isChanged { try dropScreen(of: membership.id, in: tx) }
      // A second number that is new may come first the next time, so a reviewer is told.
      let isOther = before.imei != nil && !brought.isSubset(of: known)
      try raise(details, isChanged: isChanged || isOther, &membership, by: actor, in: tx)
    }
    // The same values may raise a new flag: a phone may be reported stolen between two calls.
    guard membership.content != before || membership.flags != flags else { return }
    try memberships.save(&membership, in: tx)
    if membership.content != before {
      try core.audit.note(
        "details.stored", membership.id, by: actor,
        ["imei": "\(membership.content.imei != nil)", "address": "\(membership.content.address != nil)"], in: tx)
    }
    try memberships.advance(&membership, by: actor, in: tx)
  }

  /// The photo of the screen shows the number of the phone before.
  private func dropScreen(of membership: Membership.ID, in tx: any SQLTransaction) throws {
    let store = DocumentStore(tx)
    guard let screen = try store.current(.screenImage, of: membership) else { return }
    try store.replace(screen, at: core.world.now())
  }

  /// What the reviewer has to know of the phone.
  private func raise(
    _ details: Details, isChanged: Bool, _ membership: inout Membership, by actor: String, in tx: any SQLTransaction
  ) throws {
    if isChanged { try memberships.flag(.imeiChanged, &membership, by: actor, in: tx) }
    if details.isRepaired { try memberships.flag(.imeiRepaired, &membership, by: actor, in: tx) }
    if let type = details.imeis.first.flatMap({ types.type(of: $0) }),
      type.make.lowercased() != membership.content.make.lowercased()
    {
      try memberships.flag(.makeDiffers, &membership, by: actor, in: tx)
    }
    switch details.blacklist {
    case .clear: break
    case .listed: try memberships.flag(.blacklisted, &membership, by: "system", in: tx)
    case .unknown: try memberships.flag(.blacklistUnknown, &membership, by: "system", in: tx)
    }
  }

  private func checked(_ asked: OneAssist.LeadRequest) async throws -> Details {
    var (details, fields) = (Details(), [Problem.Field]())
    let (pinCode, address) = (asked.address?.pinCode, asked.address?.addrLine1)
    switch ArgumentFault.ofDetails(pinCode: pinCode, address: address, in: .fetchDeviceId) {
    case .emptyPinCode?: fields.append(.init("/address/pinCode", "1005", "Pincode is empty"))
    case .emptyAddress?: fields.append(.init("/address/addrLine1", "1006", "Address is empty"))
    default: break
    }
    if fields.isEmpty, let pinCode, let address, !pinCode.allSatisfy(\.isWhitespace) {
      let pinCode = pinCode.filter { !$0.isWhitespace }
      if !PostalRules.isPinCode(pinCode) || !pinCodes.knows(pinCode) {
        fields.append(.init("/address/pinCode", "PINCODE_UNKNOWN", "There is no such PIN code."))
      }
      details.pinCode = pinCode
      details.address = PostalRules.displayedAddress(address)
      if details.address == nil {
        let words = "An address has 5 to 255 characters that can be seen."
        fields.append(.init("/address/addrLine1", "ADDRESS_INVALID", words))
      }
    }
    let device = asked.deviceDetail
    details.model = device?.deviceModel?.prefix(scalars: 64)
    details.isRepaired = device?.ocrRepaired == true
    for (pointer, text) in [("/deviceDetail/imei", device?.imei), ("/deviceDetail/imei2", device?.imei2)] {
      guard let text, !text.isEmpty else { continue }
      if let imei = IMEI(text), policy.acceptsTestIMEIs || !imei.isTest {
        if !details.imeis.contains(imei) { details.imeis.append(imei) }
      } else {
        fields.append(.init(pointer, "IMEI_INVALID", "This is not an IMEI."))
      }
    }
    if details.imeis.isEmpty, details.address == nil, fields.isEmpty {
      fields.append(.init("/address", "1004", "User details not provided"))
    }
    if device?.imei2?.isEmpty == false, device?.imei?.isEmpty != false {
      fields.append(.init("/deviceDetail/imei", "IMEI_INVALID", "A second IMEI comes with a first."))
    }
    guard fields.isEmpty else { throw Problem.validation(fields) }
    for imei in details.imeis {
      let verdict = try await blacklist.check(imei)
      if verdict != .clear, details.blacklist != .listed { details.blacklist = verdict }
    }
    return details
  }
}
