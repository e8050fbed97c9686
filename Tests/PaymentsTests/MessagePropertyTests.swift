import DocumentCore
import Foundation
import Ledger
import ReferenceData
import TestSupport
import Testing

@testable import Payments

@Suite("Messages: whatever bytes come", .storeless)
struct MessagePropertyTests {
  private static let letters = "abcXYZ019 -/?:().,'+&<>\"]ÄñЖ中🙂\t\n\r".unicodeScalars.map(Character.init)

  private static func text(_ max: Int, _ generator: inout SeededGenerator) -> String {
    // A carriage return before a line feed is one character of Swift: lengths are of scalars, so it is built of those.
    var text = ""
    for _ in 0..<Int.random(in: 1...max, using: &generator) {
      text += String(letters.randomElement(using: &generator) ?? "x")
    }
    return text
  }

  @Test("a message of any texts and amounts is read as it was written")
  func roundTrips() throws {
    var generator = SeededGenerator(seed: 20022)
    let day = try #require(CalendarDate("2026-11-27"))
    let created = try #require(MessageTime("2026-11-26T23:59:59.999999999-14:00"))
    let currencies = ["EUR", "JPY", "KWD", "CLF", "USD"].filter { Currency.with(code: $0) != nil }
    for _ in 0..<200 {
      var transfers: [CreditTransfer] = []
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        transfers.append(
          CreditTransfer(
            endToEndID: Self.text(35, &generator),
            transactionID: Bool.random(using: &generator) ? Self.text(35, &generator) : nil,
            amount: Money(
              Int64.random(in: 1...999_999_999_999, using: &generator),
              try #require(currencies.randomElement(using: &generator))),
            settlementDay: day, charges: try #require(CreditTransfer.ChargeBearer.allCases.randomElement(using: &generator)),
            debtor: Bool.random(using: &generator) ? Self.text(140, &generator) : nil,
            debtorAgent: Agent(clearingMember: Self.text(35, &generator)), creditorAgent: Agent(bic: BIC("DEUTDEFF")),
            creditorAccount: .other(Self.text(34, &generator)),
            remittance: (0..<Int.random(in: 0...3, using: &generator)).map { _ in Self.text(140, &generator) }))
      }
      let message = CreditTransferMessage(
        id: Self.text(35, &generator), created: created, method: .cover, transfers: transfers)
      #expect(try PaymentMessage.read(message.xml()) == .creditTransfers(message))
    }
  }

  @Test("broken bytes are refused or read, and what is read can be written and read again")
  func brokenBytes() throws {
    var generator = SeededGenerator(seed: 8)
    var (taken, refused) = (0, 0)
    for sample in [MessageSamples.creditTransfers, MessageSamples.statement] {
      let whole = Array(sample.utf8)
      for _ in 0..<1_500 {
        var bytes = whole
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
          let place = Int.random(in: 0..<bytes.count, using: &generator)
          switch Int.random(in: 0..<4, using: &generator) {
          case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
          case 1: bytes.remove(at: place)
          case 2: bytes.insert(Array("<>&\"/ :=19".utf8).randomElement(using: &generator) ?? 0, at: place)
          default:
            let end = min(bytes.count, place + Int.random(in: 1...200, using: &generator))
            bytes.insert(contentsOf: Array(bytes[place..<end]), at: Int.random(in: 0..<bytes.count, using: &generator))
          }
        }
        guard let message = try? PaymentMessage.read(Data(bytes)) else {
          refused += 1
          continue
        }
        taken += 1
        // A sum of more than 18 digits can be read, when the header does not say it, and cannot be written.
        if case .creditTransfers(let transfers) = message, let written = try? transfers.xml() {
          #expect(try PaymentMessage.read(written) == message)
        }
      }
    }
    #expect(taken > 0 && refused > 1_000)
  }
}
