// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Foundation
import Kit
import TestSupport
import Testing

@testable import FinapticFlow

@Suite("Finaptic: the legal name in a profile", .storeless)
struct LegalNameTests {
  private static func profile(_ first: String?, _ last: String?) -> ClientProfile {
    var profile = ClientProfile()
    profile.personal = .init(
      firstName: first, middleName: "M/ \"q\"", lastName: last, dateOfBirth: "1990-01-02", alias: "Zoë")
    profile.contact = .init(customerEmail: "a@b.example")
    profile.isVerified = true
    return profile
  }

  @Test("is read as the whole profile says it, or left to the reader of the whole")
  func plain() throws {
    for (first, last) in [("Ada", "Lovelace"), ("Ada", nil), (nil, "O'Hara"), (nil, nil), ("Zoë", "Wu"), ("a/b", "c")] {
      let profile = Self.profile(first, last)
      let bytes = try JSONEncoder().encode(profile)
      let read = PlainJSONReader.read(bytes, ClientProfileStore.plainPersonal)
      let isPlain = [first, last].compactMap(\.self).allSatisfy { $0.allSatisfy { $0.isASCII && $0 != "/" } }
      #expect((read != nil) == isPlain)
      guard let read else { continue }
      var named = ClientProfile()
      named.personal = read
      #expect(named.legalName == profile.legalName)
    }
    let empty = try JSONEncoder().encode(ClientProfile())
    #expect(PlainJSONReader.read(empty, ClientProfileStore.plainPersonal) == FinapticAPI.PersonalDetails())
  }
}
