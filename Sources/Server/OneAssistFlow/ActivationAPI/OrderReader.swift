// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import Kit
import OneAssistCore
import OneAssistWire
import Storage

/// Rows as the app sees them (oneassist §8.1).
struct OrderReader: Sendable {
  let core: CoreDependencies
  let memberships: MembershipService

  /// - Throws: `Problem` 3001, also for an order that is not the caller's.
  func order(_ name: String?, of caller: SDKTokens.Caller) async throws -> OneAssist.OrderInfo {
    try await core.database.look { tx in
      let membership = try memberships.find(order: name, of: caller, in: tx)
      let store = PartnerStore(tx, vault: core.vault)
      guard let partner = try store.find(membership.partner) else { throw Problem.notFound }
      return order(membership, partner, try store.plan(membership.planCode, of: partner.id))
    }
  }

  /// - Throws: `Problem` 3001, also for an order that is not the caller's.
  func documents(_ name: String?, of caller: SDKTokens.Caller) async throws -> OneAssist.RequiredDocuments {
    try await core.database.look { tx in
      let membership = try memberships.find(order: name, of: caller, in: tx)
      return documents(membership, try DocumentStore(tx).current(of: membership.id))
    }
  }

  private func order(_ membership: Membership, _ partner: Partner, _ plan: Plan?) -> OneAssist.OrderInfo {
    var view = OneAssist.OrderInfo(taskInfo: task(membership))
    let content = membership.content
    let bought = WireDate.ofPlans(at: membership.createdAt).description
    var order = OneAssist.OrderInfo.Order()
    (order.orderId, order.createdDate, order.transDate) = (membership.orderNumber, bought, bought)
    (order.paymentMode, order.paymentStatus, order.activity) = (content.paymentMode, "Success", "NEW")
    (order.price, order.salesPrice) = (plan?.price, plan?.price)
    order.partnerInfo = .init(partnerCode: partner.code, partnerBuCode: partner.units.min())
    view.orderInfo = order
    view.planInfo = plan.map(self.plan)
    view.customerInfo = [customer(membership)]
    view.membershipInfo = .init(memUUID: membership.id.rawValue)
    view.activationInfo = .init(activationCode: membership.activationCode)
    view.uploadLink = .init(
      sentAt: membership.linkSentAt?.rfc3339,
      maskedNumber: membership.linkSentAt == nil ? nil : membership.secondLastFour.map { "******\($0)" })
    return view
  }

  private func documents(_ membership: Membership, _ photos: [Photo]) -> OneAssist.RequiredDocuments {
    let content = membership.content
    var device = OneAssist.RequiredDocuments.Device()
    (device.make, device.productCode, device.invoiceDate) = (
      content.make, content.productCode, content.invoiceDate?.description
    )
    (device.invoiceValue, device.customerRelationType) = (content.invoiceValue, content.relationship ?? "SELF")
    device.downloadDocuments = []
    // Before the review nothing is refused: the app learns of a state where there is one.
    device.verificationDocuments = RequiredPhoto.all.map { required in
      var view = required.view(photos.first { $0.name == required.name })
      // Apps take a front photo for refused when it has any word but "accepted" (oneassist §4.1), and the review did
      // not refuse this one.
      if membership.status == .reupload, view.status == DocumentStatus.uploaded.rawValue { view.status = nil }
      return view
    }
    return OneAssist.RequiredDocuments(
      activityReferenceId: membership.activityReference, deviceDetails: [device], taskInfo: task(membership))
  }

  private func task(_ membership: Membership) -> OneAssist.TaskInfo {
    .init(
      status: membership.status.rawValue,
      uploadDocsLastDate: WireDate.ofPlans(at: membership.documentsUntil).description)
  }

  private func plan(_ plan: Plan) -> OneAssist.OrderInfo.Plan {
    var view = OneAssist.OrderInfo.Plan()
    (view.planCode, view.planName, view.coverAmount) = (plan.code, plan.name, plan.coverAmount)
    (view.planValidity, view.products, view.categories, view.trial) = (
      Int64(plan.months), [plan.productCode], ["PE"], "N"
    )
    return view
  }

  private func customer(_ membership: Membership) -> OneAssist.OrderInfo.Customer {
    let content = membership.content
    var view = OneAssist.OrderInfo.Customer()
    (view.custId, view.activityRefId) = (membership.customer, membership.activityReference)
    (view.firstName, view.lastName, view.emailId) = (content.firstName, content.lastName, content.email)
    let number = content.mobile.hasPrefix("+91") ? content.mobile.dropFirst(3) : content.mobile.dropFirst()
    (view.mobileNo, view.relationshipCode) = (Int64(number), content.relationship ?? "SELF")
    view.addressInfo = .init(addrLine1: content.address, pincode: content.pinCode)
    var asset = OneAssist.OrderInfo.Asset()
    (asset.productCode, asset.brand, asset.model) = (content.productCode, content.make, content.model)
    (asset.serialNo, asset.invoiceDate) = (content.serial, content.invoiceDate?.description)
    asset.invoiceValue = content.invoiceValue
    view.assetInfo = [asset]
    return view
  }
}
