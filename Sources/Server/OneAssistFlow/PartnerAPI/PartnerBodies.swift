// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import Kit
import OneAssistCore
import OneAssistWire

// What a partner sends (oneassist §9). Members that are not known are ignored.

/// §9.1.
struct OnboardRequest: Decodable, Sendable {
  typealias Loose = OneAssist.Loose

  struct Customer: Codable, Sendable, Equatable {
    @Loose var firstName: String?
    @Loose var lastName: String?
    @Loose var emailId: String?
    @Loose var mobileNumber: String?
    @Loose var gender: String?
    @Loose var relationship: String?
    @Loose var customerdob: String?
    @Loose var assetInfo: [Asset]?
  }

  struct Asset: Codable, Sendable, Equatable {
    @Loose var productCode: String?
    @Loose var assetMake: String?
    @Loose var assetModel: String?
    @Loose var invoiceDate: String?
    @Loose var invoiceValue: Int64?
    @Loose var serialNo1: String?
  }

  struct Address: Codable, Sendable, Equatable {
    @Loose var addrLine1: String?
    @Loose var pinCode: String?
  }

  struct Order: Codable, Sendable, Equatable {
    @Loose var planCode: Int64?
    @Loose var partnerCode: Int64?
    @Loose var partnerBUCode: Int64?
    @Loose var applicationNo: String?
    @Loose var applicationDate: String?
  }

  struct Payment: Codable, Sendable, Equatable {
    @Loose var paymentMode: String?
  }

  @Loose var customerInfo: [Customer]?
  @Loose var addressInfo: [Address]?
  @Loose var orderInfo: Order?
  @Loose var paymentInfo: Payment?
}

/// §9.2.
struct TokenRequest: Decodable, Sendable {
  @OneAssist.Loose var orderUUID: String?
  @OneAssist.Loose var customerTempId: String?
  @OneAssist.Loose var scope: String?
}

/// Days as partners write them.
enum PartnerDate {
  private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

  /// `21-Nov-2026`, with English names of months, or ISO 8601, of which only the day counts.
  static func read(_ text: String?) -> WireDate? {
    guard let text, text.utf8.count <= 40 else { return nil }
    if let day = WireDate(String(text.prefix(10))), text.utf8.count == 10 || text.dropFirst(10).first == "T" {
      return day
    }
    guard let match = text.wholeMatch(of: /(\d{1,2})-([A-Za-z]{3})-(\d{4})/),
      let month = months.firstIndex(of: match.2.lowercased()), let day = Int(match.1), let year = Int(match.3)
    else { return nil }
    return WireDate(year: year, month: month + 1, day: day)
  }

  static func write(_ day: WireDate) -> String {
    let name = months[day.month - 1].prefix(1).uppercased() + months[day.month - 1].dropFirst()
    let (date, year) = ("0\(day.day)".suffix(2), "000\(day.year)".suffix(4))
    return "\(date)-\(name)-\(year)"
  }
}
