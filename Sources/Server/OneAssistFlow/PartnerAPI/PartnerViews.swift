// SPDX-License-Identifier: Apache-2.0

import GatehouseWire
import Kit
import OneAssistCore
import OneAssistWire

// What a partner gets (oneassist §9).

/// §9.1. Of a repetition the same as of the first.
struct OnboardAnswer: Codable, Sendable, Equatable {
  struct Order: Codable, Sendable, Equatable {
    let orderId: Int64
    let planName: String
    let price: Int64
    let taxAmount: Int64
    let discount: Int64
  }

  struct Period: Codable, Sendable, Equatable {
    /// Null until there is one: the member is always there.
    @ExplicitNull var membershipNumber: String?
    let startDate: String
    let endDate: String
  }

  struct Pending: Codable, Sendable, Equatable {
    let customerTempId: String
    let activityReferenceId: String
  }

  struct Product: Codable, Sendable, Equatable {
    let productCode: String
  }

  var status = "success"
  var message = "PENDING_CUSTOMER_CREATED_SUCCESSFULLY"
  let customerOrderInfo: Order
  let membershipInfo: Period
  let pendingCustomerInfo: [Pending]
  let productInfo: [Product]
  var errors: [OneAssist.Failure] = []
  let orderUUID: String
  let activationCode: String

  init(_ membership: Membership, _ plan: Plan) {
    customerOrderInfo = Order(
      orderId: membership.orderNumber, planName: plan.name, price: plan.price, taxAmount: plan.tax, discount: 0)
    membershipInfo = Period(
      membershipNumber: nil, startDate: PartnerDate.write(membership.startsOn),
      endDate: PartnerDate.write(membership.endsOn))
    pendingCustomerInfo = [
      Pending(customerTempId: membership.customer, activityReferenceId: membership.activityReference)
    ]
    productInfo = [Product(productCode: plan.productCode)]
    (orderUUID, activationCode) = (membership.orderUUID, membership.activationCode)
  }
}

/// §9.2.
struct TokenView: Codable, Sendable {
  let token: String
  var tokenType = "SDK"
  /// Seconds.
  let expiresIn: Int
  /// RFC 3339.
  let issuedAt: String
}

/// §9.3.
struct MembershipView: Codable, Sendable {
  struct Asset: Codable, Sendable {
    let productCode: String
    let assetMake: String
    let assetModel: String
  }

  struct Document: Codable, Sendable {
    let name: String
    let status: String
    let rejectReason: String?
  }

  let memUUID: String
  let orderUUID: String
  let activationCode: String
  let status: String
  let planName: String?
  let startDate: String
  let endDate: String
  let assetInfo: Asset
  let uploadDocsLastDate: String
  let documents: [Document]
  let nextActionOwner: String
  /// For the membership card that the partner's app shows (seed, "Normal UI Flow").
  let statusText: String
  /// The SDK's calls that the status allows; none means that the card shows the status only.
  let possibleActions: [String]

  init(_ membership: Membership, planName: String?, documentsUntil: WireDate, photos: [Photo]) {
    (memUUID, orderUUID) = (membership.id.rawValue, membership.orderUUID)
    (activationCode, status, self.planName) = (membership.activationCode, membership.status.rawValue, planName)
    (startDate, endDate) = (membership.startsOn.description, membership.endsOn.description)
    assetInfo = Asset(
      productCode: membership.content.productCode, assetMake: membership.content.make,
      assetModel: membership.content.model)
    uploadDocsLastDate = documentsUntil.description
    documents = RequiredPhoto.all.map { required in
      let photo = photos.first { $0.name == required.name }
      return Document(
        name: required.name.rawValue, status: (photo?.status ?? .missing).rawValue,
        rejectReason: photo?.status == .refused ? photo?.reason : nil)
    }
    (nextActionOwner, statusText) = (membership.status.turn.rawValue, membership.status.cardText)
    possibleActions = membership.status.turn == .user ? ["startActivation"] : []
  }
}

extension MembershipStatus {
  /// What the membership card says to the customer.
  fileprivate var cardText: String {
    switch self {
    case .detailsPending: "Activation in progress: details of the phone are missing."
    case .detailsComplete: "Activation in progress: photos of the phone are missing."
    case .reupload: "Some photos have to be taken again."
    case .pending: "The membership is being processed."
    case .queued: "The membership is approved; its cover starts later."
    case .approved: "The membership is approved; its cover is active."
    case .rejected: "The membership was rejected."
    case .cancelled: "The membership was cancelled."
    }
  }
}

struct MembershipListView: Codable, Sendable {
  let memberships: [MembershipView]
}
