// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import FinapticFlow

@Suite("Finaptic input rules: other calls", .storeless)
struct CallRuleTests {
  private static func isTaken(_ rule: (inout InputCheck) -> Void) -> Bool {
    var check = InputCheck()
    rule(&check)
    return check.isClean
  }

  @Test("a page has at least one entry, and a hundred at most")
  func pages() {
    var check = InputCheck()
    #expect(check.pageSize(1) == 1 && check.pageSize(100) == 100 && check.pageSize(101) == 100)
    #expect(check.isClean)
    for size in [0, -1, nil] { #expect(!Self.isTaken { _ = $0.pageSize(size) }) }
  }

  @Test("an invitation carries twenty short entries")
  func metadata() {
    func entries(_ count: Int, key: Int = 2, value: Int = 1) -> [String: String] {
      Dictionary(
        uniqueKeysWithValues: (0..<count).map {
          ("\(10 + $0)" + RuleTable.letters(key - 2), RuleTable.letters(value))
        })
    }
    #expect(Self.isTaken { _ = $0.metadata(nil) } && Self.isTaken { _ = $0.metadata([:]) })
    #expect(Self.isTaken { _ = $0.metadata(entries(20, key: 40, value: 500)) })
    #expect(!Self.isTaken { _ = $0.metadata(entries(21)) })
    #expect(!Self.isTaken { _ = $0.metadata(entries(1, key: 41)) })
    #expect(!Self.isTaken { _ = $0.metadata(entries(1, value: 501)) })
    #expect(!Self.isTaken { _ = $0.metadata(["": "a"]) })
  }

  @Test(
    "a number of Interac is +, one to three digits, a hyphen and digits",
    arguments: [
      ("+1-5141234567", true), ("+1-(514)123-4567", true), ("+123-1", true), ("+1234-1", false),
      ("1-5141234567", false),
      ("+15141234567", false), ("+1-", false), ("+1-514 123", false), ("", false),
      ("+1-" + String(repeating: "2", count: 27), true), ("+1-" + String(repeating: "2", count: 28), false),
    ])
  func interac(number: String, isTaken: Bool) {
    #expect(Self.isTaken { _ = $0.interacNumber(number, "aliasPhoneNumber") } == isTaken)
  }

  @Test("texts at their edges")
  func texts() {
    let rules: [(max: Int, isRequired: Bool, rule: (inout InputCheck, String) -> Void)] = [
      (4096, true, { _ = $0.channelID($1, "deviceId") }), (256, true, { _ = $0.chatSubject($1) }),
      (100, true, { _ = $0.displayName($1) }), (420, false, { _ = $0.memo($1) }),
    ]
    for rule in rules {
      #expect(Self.isTaken { rule.rule(&$0, RuleTable.letters(1)) })
      #expect(Self.isTaken { rule.rule(&$0, RuleTable.letters(rule.max)) })
      #expect(!Self.isTaken { rule.rule(&$0, RuleTable.letters(rule.max + 1)) })
      #expect(Self.isTaken { rule.rule(&$0, " ") } == !rule.isRequired)
    }
  }
}
