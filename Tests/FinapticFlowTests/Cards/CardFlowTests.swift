// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Kit
import TestSupport
import Testing

@testable import FinapticFlow

@Suite("Finaptic: lives of invitations, cards and payments", .storeless)
struct CardFlowTests {
  @Test(
    "an invitation knows exactly the events of the specification", arguments: InvitationStatus.allCases,
    InvitationEvent.allCases)
  func invitation(status: InvitationStatus, event: InvitationEvent) {
    let to: InvitationStatus? =
      switch (status, event) {
      case (.pending, .accepted): .accepted
      case (.pending, .declined): .declined
      case (.pending, .expired): .expired
      case (.accepted, .confirmed): .completed
      default: nil
      }
    #expect((try? invitationFlow.move(from: status, on: event))?.to == to)
  }

  @Test(
    "a card is made, then locked and unlocked; one of an erased customer is locked", arguments: CardState.allCases,
    CardEvent.allCases)
  func card(state: CardState, event: CardEvent) {
    let to: CardState? =
      switch (state, event) {
      case (.ordered, .issued), (.locked, .unlocked): .active
      case (.active, .locked), (_, .erased): .locked
      default: nil
      }
    #expect((try? cardFlow.move(from: state, on: event))?.to == to)
  }

  @Test("a payment is settled once, and comes back only then", arguments: PaymentState.allCases, PaymentEvent.allCases)
  func payment(state: PaymentState, event: PaymentEvent) {
    let to: PaymentState? =
      switch (state, event) {
      case (.authorized, .confirmed), (.settled, .refundedInPart): .settled
      case (.authorized, .cancelled): .cancelled
      case (.authorized, .expired): .expired
      case (.settled, .refundedWhole): .refunded
      case (.settled, .chargedBack): .chargedBack
      case (.authorized, .increased), (.authorized, .reduced): .authorized
      case (.settled, .forced), (.declined, .forced), (.cancelled, .forced), (.expired, .forced): .settled
      case (.chargedBack, .chargebackLost): .settled
      default: nil
      }
    #expect((try? paymentFlow.move(from: state, on: event))?.to == to)
  }

  @Test(
    "a dispute is decided once, whatever happens before", arguments: CardDisputeState.allCases,
    CardDisputeEvent.allCases)
  func dispute(state: CardDisputeState, event: CardDisputeEvent) {
    let isOpen = state != .won && state != .lost
    let to: CardDisputeState? =
      switch (state, event) {
      case (_, .won) where isOpen: .won
      case (_, .lost) where isOpen: .lost
      case (.opened, .credited): .credited
      case (.opened, .represented): .represented
      case (.credited, .represented), (.represented, .credited): .creditedRepresented
      default: nil
      }
    #expect((try? cardDisputeFlow.move(from: state, on: event))?.to == to)
  }

  @Test(
    "money on the suspense account is settled once", arguments: CardSuspenseState.allCases,
    CardSuspenseEvent.allCases)
  func suspense(state: CardSuspenseState, event: CardSuspenseEvent) {
    let to: CardSuspenseState? =
      switch (state, event) {
      case (.waiting, .refundedInPart): .waiting
      case (.waiting, .resolved), (.waiting, .refunded), (.waiting, .writtenOff), (.settled, .returnedLate): .settled
      default: nil
      }
    #expect((try? cardSuspenseFlow.move(from: state, on: event))?.to == to)
  }

  @Test("limits of cards: at once, in a day, and how much more than what is held is cleared")
  func limits() {
    let limits = CardLimits(paymentMax: 100_00, dayMax: 250_00, overPercent: 15)
    #expect(limits.allow(100_00, adding: 100_00, to: 150_00))
    #expect(!limits.allow(100_01, adding: 1, to: 0))
    #expect(!limits.allow(100_00, adding: 100_00, to: 150_01))
    #expect(!limits.allow(1, adding: .max, to: 1))
    #expect(CardLimits().allow(.max, adding: .max, to: 0))
    #expect(limits.clearable(20_00) == 23_00 && limits.clearable(1) == 1)
    #expect(limits.clearable(.max) == .max && CardLimits().clearable(20_00) == 20_00)
  }

  @Test("the diagrams are those in docs")
  func diagrams() throws {
    #expect(
      try GoldenFile.difference(
        of: cardDisputeFlow.diagram(initial: .opened), from: "docs/flows/finaptic-card-dispute.mmd") == nil)
    #expect(
      try GoldenFile.difference(
        of: cardSuspenseFlow.diagram(initial: .waiting), from: "docs/flows/finaptic-card-suspense.mmd") == nil)
    #expect(
      try GoldenFile.difference(
        of: invitationFlow.diagram(initial: .pending), from: "docs/flows/finaptic-invitation.mmd") == nil)
    #expect(
      try GoldenFile.difference(of: cardFlow.diagram(initial: .ordered), from: "docs/flows/finaptic-card.mmd") == nil)
    #expect(
      try GoldenFile.difference(
        of: paymentFlow.diagram(initial: .authorized), from: "docs/flows/finaptic-card-payment.mmd") == nil)
    #expect(
      try GoldenFile.difference(
        of: scheduledPostingFlow.diagram(initial: .scheduled), from: "docs/flows/finaptic-scheduled-posting.mmd") == nil
    )
    #expect(
      try GoldenFile.difference(
        of: termsChangeFlow.diagram(initial: .announced), from: "docs/flows/finaptic-terms-change.mmd") == nil)
    #expect(
      try GoldenFile.difference(
        of: paymentRecallFlow.diagram(initial: .open), from: "docs/flows/finaptic-recall.mmd") == nil)
    #expect(
      try GoldenFile.difference(
        of: bankActFlow.diagram(initial: .awaiting), from: "docs/flows/finaptic-bank-act.mmd") == nil)
  }

  @Test("a number's last digit checks the others")
  func numbers() {
    // Published by networks for tests.
    for number in ["4111111111111111", "5555555555554444", "2223000048400011", "378282246310005"] {
      #expect(CardNumber(number)?.digits == number)
      #expect(CardNumber(payload: String(number.dropLast())).digits == number)
      let last = Int(String(number.suffix(1))) ?? 0
      #expect(CardNumber(number.dropLast() + "\((last + 1) % 10)") == nil)
    }
    for text in ["", "4", "41111111111", "41111111111111111111", "4111 1111 1111 1111", "٤١١١١١١١١١١١١١١١"] {
      #expect(CardNumber(text) == nil)
    }
    #expect("\(CardNumber("4111111111111111")!)" == "•••• 1111")
    #expect(CardExpiry(year: 2029, month: 2).text == "02/29")
    #expect(CardExpiry(year: 2029, month: 2) < CardExpiry(year: 2029, month: 3))
    let (november, december) = (
      CalendarDate(year: 2026, month: 11, day: 30)!, CalendarDate(year: 2026, month: 12, day: 1)!
    )
    #expect(CardExpiry(months: 36, after: november) == CardExpiry(year: 2029, month: 11))
    #expect(CardExpiry(months: 1, after: december) == CardExpiry(year: 2027, month: 1))
  }

  @Test("any two neighbouring digits of a number that are swapped are noticed, but for 0 and 9", arguments: 1...20)
  func swapped(seed: UInt64) {
    var randomness = SeededGenerator(seed: seed)
    let payload = "222300" + (0..<9).map { _ in String(Int.random(in: 0...9, using: &randomness)) }.joined()
    let digits = Array(CardNumber(payload: payload).digits)
    for place in 0..<(digits.count - 1) where digits[place] != digits[place + 1] {
      var other = digits
      other.swapAt(place, place + 1)
      let isBlind = Set([digits[place], digits[place + 1]]) == ["0", "9"]
      #expect((CardNumber(String(other)) == nil) != isBlind)
    }
  }

  @Test("a digest in the form of a random UUID")
  func noActor() {
    let id = InvitationIdentity.uuid(String(repeating: "f", count: 64))
    #expect(id == "ffffffff-ffff-4fff-bfff-ffffffffffff")
  }
}
