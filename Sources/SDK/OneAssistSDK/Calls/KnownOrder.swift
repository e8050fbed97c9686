// SPDX-License-Identifier: Apache-2.0

internal import OneAssistCore
internal import OneAssistWire

/// What the server said about the order that is being activated, kept in step with every later answer.
struct KnownOrder: Sendable {
  /// As the app named it.
  let code: String
  /// As the server names it, whatever the app called it by.
  let activationCode: String
  /// Names the activation to uploads and to the secure screen.
  let activityReference: String?
  /// The membership's, as the wire has it.
  var status: String?
  /// Whether a link was ever sent for this activation.
  var isLinkSent: Bool
  var details: UserDetails
  let isFrontRefused: Bool
  /// The number of the purchase, as far as the server tells it.
  let purchaseNumber: String?

  init(code: String, info: OneAssist.OrderInfo, documents: OneAssist.RequiredDocuments) {
    let customer = info.customerInfo?.first
    self.code = code
    activationCode = info.activationInfo?.activationCode?.strippedOrNil ?? code
    activityReference = (documents.activityReferenceId ?? customer?.activityRefId)?.strippedOrNil
    status = info.taskInfo?.status
    isLinkSent = info.uploadLink?.sentAt != nil
    details = UserDetails(pinCode: customer?.addressInfo?.pincode, address: customer?.addressInfo?.addrLine1)
    isFrontRefused = ActivationStage.isFrontRefused(
      (documents.deviceDetails?.first?.verificationDocuments ?? []).map { ($0.name, $0.status) })
    // Without a plus: Indian ones without their country's code, too.
    purchaseNumber = customer?.mobileNo.map { number in
      let plain = String(number)
      return SecondMobileNumber(plain) == nil ? "+\(plain)" : plain
    }
  }

  /// Where the flow stands (§4.1).
  func stage(hasIMEI: Bool) throws(OAError) -> OAAction {
    do throws(ActivationStage.Fault) {
      return OAAction(try ActivationStage.of(status: status, hasIMEI: hasIMEI, isFrontRefused: isFrontRefused))
    } catch {
      switch error {
      case .statusMissing: throw .ERROR_GET_MEMBERSHIP_DETAILS
      case .statusUnknown: throw .ERROR_UNKNOW
      }
    }
  }

  /// What comes after a link was sent (§4.3).
  var stageAfterLink: OAAction {
    status == MembershipStatus.reupload.rawValue && !isFrontRefused
      ? .sendUploadLink : .sendUploadLinkOrOpenSecureScreen
  }
}
