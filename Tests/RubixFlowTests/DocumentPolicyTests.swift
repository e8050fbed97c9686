// SPDX-License-Identifier: Apache-2.0

import Foundation
import RubixWire
import TestSupport
import Testing

@testable import RubixFlow

@Suite("Rubix: which documents a tenant asks for", .storeless)
struct DocumentPolicyTests {
  private static let (front, back) = (DocumentType.nationalIDFrontSide, DocumentType.nationalIDBackSide)
  private static let any = DocumentPolicy.standard
  private static let all = DocumentPolicy(allOf: [[front, back], [.passport]])
  private static let both = DocumentPolicy(anyOf: [[.passport], [.drivingLicense]], allOf: [[front, back]])

  @Test("any one whole set will do; half a set will not")
  func anyOf() {
    #expect(!Self.any.isSatisfied(by: []))
    #expect(!Self.any.isSatisfied(by: [Self.front]))
    #expect(Self.any.isSatisfied(by: [Self.front, Self.back]))
    #expect(Self.any.isSatisfied(by: [.passport]))
    #expect(Self.any.isSatisfied(by: [.drivingLicense]))
    #expect(Self.any.isSatisfied(by: [.passport, Self.front]))
  }

  @Test("all sets are asked for together")
  func allOf() {
    #expect(!Self.all.isSatisfied(by: [.passport]))
    #expect(!Self.all.isSatisfied(by: [Self.front, Self.back]))
    #expect(!Self.all.isSatisfied(by: [.passport, Self.front]))
    #expect(Self.all.isSatisfied(by: [.passport, Self.front, Self.back]))
  }

  @Test("both kinds of rule hold at once")
  func combined() {
    #expect(!Self.both.isSatisfied(by: [Self.front, Self.back]))
    #expect(!Self.both.isSatisfied(by: [.passport]))
    #expect(Self.both.isSatisfied(by: [Self.front, Self.back, .drivingLicense]))
  }

  @Test("a policy without sets asks for nothing")
  func empty() {
    for policy in [DocumentPolicy(), DocumentPolicy(anyOf: [], allOf: [])] {
      #expect(policy.isSatisfied(by: []))
      #expect(policy.missing(read: [], begun: []).isEmpty)
      #expect(policy.accepted.isEmpty)
    }
  }

  @Test("the first alternative is asked for, the others are offered; one begun comes first")
  func order() {
    let fresh = Self.any.missing(read: [], begun: [])
    #expect(fresh.map(\.type) == [Self.front, Self.back, .passport, .drivingLicense])
    #expect(fresh.map(\.optional) == [false, false, true, true])
    let begun = Self.any.missing(read: [], begun: [.drivingLicense])
    #expect(begun.map(\.type) == [.drivingLicense, Self.front, Self.back, .passport])
    #expect(begun.map(\.optional) == [false, true, true, true])
    let half = Self.any.missing(read: [Self.front], begun: [Self.front])
    #expect(half.first?.type == Self.back && half.first?.optional == false)
    #expect(!half.contains { $0.type == Self.front })
  }

  @Test("sets that are all asked for come before alternatives, and nothing is named twice")
  func mandatoryFirst() {
    let missing = Self.both.missing(read: [Self.front], begun: [])
    #expect(missing.map(\.type) == [Self.back, .passport, .drivingLicense])
    #expect(missing.map(\.optional) == [false, false, true])
    let overlapping = DocumentPolicy(anyOf: [[.passport, Self.front]], allOf: [[.passport]])
    #expect(overlapping.missing(read: [], begun: []).map(\.type) == [.passport, Self.front])
    #expect(overlapping.accepted == [.passport, Self.front])
  }

  @Test("nothing is missing exactly where the policy is satisfied", arguments: [any, all, both, DocumentPolicy()])
  func consistent(policy: DocumentPolicy) {
    let types: [DocumentType] = [Self.front, Self.back, .passport, .drivingLicense]
    for bits in 0..<16 {
      let read = Set(types.indices.filter { bits & (1 << $0) != 0 }.map { types[$0] })
      let missing = policy.missing(read: read, begun: read)
      #expect(missing.isEmpty == policy.isSatisfied(by: read), "\(read)")
      #expect(missing.isEmpty || missing.contains { !$0.optional })
      // Doing what is asked for, and only that, satisfies the policy.
      #expect(policy.isSatisfied(by: read.union(missing.filter { !$0.optional }.map(\.type))), "\(read)")
    }
  }

  @Test("a policy reads from the operator's file as the specification writes it")
  func file() throws {
    let text = #"{"any_of":[["NATIONAL_ID_FRONT_SIDE","NATIONAL_ID_BACK_SIDE"],["PASSPORT"],["DRIVING_LICENSE"]]}"#
    #expect(try JSONDecoder().decode(DocumentPolicy.self, from: Data(text.utf8)) == .standard)
  }
}
