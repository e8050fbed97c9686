// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import GatehouseWire
import Kit
import OneAssistCore
import Storage

/// What a partner may sell, and to whom: each member that is wrong is one entry (oneassist §9.1).
struct OnboardRules: Sendable {
  let partner: Partner
  let plan: Plan?
  let today: WireDate

  /// What was bought, checked.
  struct Sale: Sendable {
    var plan: Plan
    var application: String
    var content: Membership.Content
    var startsOn: WireDate
    var endsOn: WireDate
  }

  /// - Throws: `Problem` validation with an entry for each member.
  func sale(_ asked: OnboardRequest) throws -> Sale {
    var faults = Faults()
    let (order, customers) = (asked.orderInfo, asked.customerInfo ?? [])
    let application = order?.applicationNo ?? ""
    faults.check(
      application.wholeMatch(of: /[A-Za-z0-9._~\/-]{1,64}/) != nil, "/orderInfo/applicationNo",
      "APPLICATION_NO_INVALID",
      "1 to 64 letters, digits, . _ ~ / -")
    faults.check(plan != nil, "/orderInfo/planCode", "PLAN_UNKNOWN", "There is no such plan.")
    faults.check(
      order?.partnerCode == partner.code, "/orderInfo/partnerCode", "PARTNER_UNKNOWN", "This is not the partner's code."
    )
    faults.check(
      order?.partnerBUCode.map(partner.units.contains) == true, "/orderInfo/partnerBUCode", "PARTNER_BU_UNKNOWN",
      "There is no such business unit.")
    faults.check(
      order?.applicationDate == nil || PartnerDate.read(order?.applicationDate) != nil, "/orderInfo/applicationDate",
      "DATE_INVALID", "dd-MMM-yyyy or ISO 8601.")
    faults.check(customers.count == 1, "/customerInfo", "CUSTOMER_COUNT", "One customer.")
    let content = content(customers.first, asked, &faults)
    guard faults.fields.isEmpty, let plan, let content else { throw Problem.validation(faults.fields) }
    let start = WireDate(daysSince1970: today.daysSince1970 + plan.startsAfterDays)
    return Sale(
      plan: plan, application: application, content: content, startsOn: start, endsOn: start.lastDay(of: plan.months))
  }

  private func content(
    _ customer: OnboardRequest.Customer?, _ asked: OnboardRequest, _ faults: inout Faults
  ) -> Membership.Content? {
    guard let customer else { return nil }
    var content = Membership.Content()
    content.firstName = faults.text(customer.firstName, "/customerInfo/0/firstName")
    content.lastName = faults.text(customer.lastName, "/customerInfo/0/lastName")
    let mobile = SecondMobileNumber(customer.mobileNumber ?? "", countries: partner.countries)
    faults.check(mobile != nil, "/customerInfo/0/mobileNumber", "MOBILE_INVALID", "This is not a mobile number.")
    content.mobile = mobile?.e164 ?? ""
    let email = EmailAddress(customer.emailId ?? "")
    faults.check(email != nil, "/customerInfo/0/emailId", "EMAIL_INVALID", "This is not an e-mail address.")
    content.email = customer.emailId ?? ""
    content.gender = customer.gender?.prefix(scalars: 16)
    content.relationship = customer.relationship?.uppercased().prefix(scalars: 16)
    content.birthDate = PartnerDate.read(customer.customerdob)
    faults.check(
      customer.customerdob == nil || content.birthDate.map { $0 < today } == true, "/customerInfo/0/customerdob",
      "DATE_INVALID", "A day in the past: dd-MMM-yyyy or ISO 8601.")
    let assets = customer.assetInfo ?? []
    faults.check(assets.count == 1, "/customerInfo/0/assetInfo", "ASSET_COUNT", "One phone.")
    if let asset = assets.first { self.asset(asset, &content, &faults) }
    content.paymentMode = asked.paymentInfo?.paymentMode?.prefix(scalars: 32)
    address(asked.addressInfo?.first, &content, &faults)
    return content
  }

  private func asset(_ asset: OnboardRequest.Asset, _ content: inout Membership.Content, _ faults: inout Faults) {
    let at = "/customerInfo/0/assetInfo/0"
    content.make = faults.text(asset.assetMake, "\(at)/assetMake")
    content.model = faults.text(asset.assetModel, "\(at)/assetModel")
    content.productCode = asset.productCode ?? ""
    faults.check(
      plan.map { $0.productCode == asset.productCode } != false, "\(at)/productCode", "PRODUCT_UNKNOWN",
      "The plan is not for this product.")
    content.serial = asset.serialNo1?.prefix(scalars: 64)
    content.invoiceDate = PartnerDate.read(asset.invoiceDate)
    if let day = content.invoiceDate {
      faults.check(day <= today, "\(at)/invoiceDate", "INVOICE_DATE_FUTURE", "The bill is from the future.")
      if let plan {
        faults.check(
          today.daysSince1970 - day.daysSince1970 <= plan.invoiceDaysMax, "\(at)/invoiceDate", "INVOICE_DATE_OLD",
          "The bill is older than \(plan.invoiceDaysMax) days.")
      }
    } else {
      faults.check(false, "\(at)/invoiceDate", "DATE_INVALID", "dd-MMM-yyyy or ISO 8601.")
    }
    content.invoiceValue = asset.invoiceValue ?? 0
    if let plan {
      faults.check(
        asset.invoiceValue.map(plan.invoiceValues.contains) == true, "\(at)/invoiceValue", "INVOICE_VALUE_RANGE",
        "\(plan.invoiceValues.lowerBound) to \(plan.invoiceValues.upperBound).")
    }
  }

  /// An address that is there is taken when it is whole; the app asks for what is missing.
  private func address(
    _ asked: OnboardRequest.Address?, _ content: inout Membership.Content, _ faults: inout Faults
  ) {
    guard let asked, asked.addrLine1 != nil || asked.pinCode != nil else { return }
    content.address = asked.addrLine1.flatMap(PostalRules.displayedAddress)
    content.pinCode = asked.pinCode
    faults.check(
      content.address != nil, "/addressInfo/0/addrLine1", "ADDRESS_INVALID", "5 to 255 characters that can be seen.")
    faults.check(
      asked.pinCode.map(PostalRules.isPinCode) == true, "/addressInfo/0/pinCode", "PINCODE_INVALID", "Six digits.")
  }

  /// Gathers what is wrong.
  private struct Faults {
    private(set) var fields: [Problem.Field] = []

    mutating func check(_ holds: Bool, _ pointer: String, _ code: String, _ message: String) {
      if !holds { fields.append(.init(pointer, code, message)) }
    }

    /// A name: not empty, and of characters that can be seen.
    mutating func text(_ text: String?, _ pointer: String) -> String {
      let text = (text ?? "").trimmingCharacters(in: .whitespaces)
      check(
        (1...128).contains(text.utf8.count) && DisplayedText.isPlain(text), pointer, "REQUIRED",
        "1 to 128 bytes of text.")
      return text
    }
  }
}

extension WireDate {
  /// Of a period of whole months that begins on this day: the day before it comes round again.
  func lastDay(of months: Int) -> WireDate {
    let month = self.month - 1 + months
    let (year, next) = (self.year + month / 12, month % 12 + 1)
    // The day of the month, or its last one.
    let anniversary = (0...3).lazy.compactMap { WireDate(year: year, month: next, day: self.day - $0) }.first ?? self
    return WireDate(daysSince1970: anniversary.daysSince1970 - 1)
  }
}
