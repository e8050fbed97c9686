// SPDX-License-Identifier: Apache-2.0

import OneAssistCore
import Testing

@Suite("OneAssist: the number of the second phone")
struct SecondMobileNumberTests {
  @Test(
    "one number in many spellings is one number",
    arguments: ["9876543210", "+919876543210", "09876543210", "98765 43210", "+91 98765-43210", " 0 98 76 54 32 10 "])
  func spellings(text: String) {
    #expect(SecondMobileNumber(text)?.e164 == "+919876543210")
    #expect(SecondMobileNumber.fault(text, purchase: "9876543210") == .secondaryEqualsPrimary)
    #expect(SecondMobileNumber.fault(text, purchase: "+919876543211") == nil)
  }

  @Test(
    "what is no Indian mobile number is refused",
    arguments: [
      "5876543210", "987654321", "98765432100", "+9198765432", "98765x3210", "९८७६५४३२१०", "+4915112345678", "0", "+91",
      "+91+919876543210", String(repeating: "9", count: 5000),
    ])
  func refused(text: String) {
    #expect(SecondMobileNumber(text) == nil)
    #expect(SecondMobileNumber.fault(text, purchase: nil) == .mobileInvalid)
  }

  @Test("other countries count where the partner sells there, as E.164")
  func countries() {
    #expect(SecondMobileNumber("+49 151 12345678", countries: .all)?.e164 == "+4915112345678")
    #expect(SecondMobileNumber("4915112345678", countries: .all) == nil)
    #expect(SecondMobileNumber("+0151123456", countries: .all) == nil)
    #expect(SecondMobileNumber("+915876543210", countries: .all) == nil)
    #expect(
      SecondMobileNumber.fault("+4915112345678", purchase: "+49 15112345678", countries: .all)
        == .secondaryEqualsPrimary)
  }

  @Test("blank is empty, not ill-formed", arguments: ["", "  ", "\n"])
  func blank(text: String) {
    #expect(SecondMobileNumber.fault(text, purchase: nil) == .emptyMobileNumber)
  }

  @Test("only the last four digits are ever printed")
  func masked() throws {
    let number = try #require(SecondMobileNumber("9876543210"))
    #expect("\(number)" == "******3210")
    #expect(!String(reflecting: number).contains("98765"))
    #expect(number.lastFour == "3210")
  }

  @Test("PIN codes and addresses have the form of the specification")
  func postal() {
    #expect(PostalRules.isPinCode("560001"))
    for text in ["", "056001", "56001", "5600011", "56 001", "５60001"] { #expect(!PostalRules.isPinCode(text)) }
    #expect(PostalRules.address("  12 Lake Road \n") == "12 Lake Road")
    #expect(PostalRules.address(" 1234 ") == nil)
    #expect(PostalRules.address(String(repeating: "a", count: 255))?.count == 255)
    #expect(PostalRules.address(String(repeating: "a", count: 256)) == nil)
    #expect(PostalRules.address("   ") == nil)
    // Joiners are characters of an address, too, but make none that is too short long enough.
    let joiners = String(repeating: "\u{200D}", count: 249)
    #expect(PostalRules.address("1 Lake\(joiners)") != nil && PostalRules.address("1 Lake\(joiners)\u{200D}") == nil)
    #expect(PostalRules.address("1234\(joiners)") == nil)
  }
}
