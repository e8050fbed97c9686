import FinapticWire
import Foundation
import GatehouseWire
import HTTP
import Kit
import TestSupport
import Testing

@testable import FinapticFlow

@Suite("Finaptic: JSON of hot calls", .storeless)
struct BatchJSONTests {
  /// The same form for the general reader alone.
  private struct General: Decodable, Equatable {
    struct Order: Decodable, Equatable {
      let key: String
      let account_id: String
      let amount: FinapticAPI.Amount
      let reference: String?
    }

    let purpose: String
    let reason: String
    let orders: [Order]

    init(_ batch: PostingBodies.Batch) {
      (purpose, reason) = (batch.purpose, batch.reason)
      orders = batch.orders.map {
        Order(key: $0.key, account_id: $0.account_id, amount: $0.amount, reference: $0.reference)
      }
    }
  }

  private struct GeneralTransfer: Decodable, Equatable {
    let source_account_id: String?
    let destination_account_id: String?
    let fund_transfer: FinapticAPI.Amount?

    init(_ request: FinapticAPI.InitiateTransferRequest) {
      (source_account_id, destination_account_id) = (request.sourceAccountId, request.destinationAccountId)
      fund_transfer = request.fundTransfer
    }
  }

  private enum Told<Value: Equatable>: Equatable {
    case read(Value)
    case refused(String)
  }

  private static let batch = #"""
    {"purpose":"DEPOSIT","reason":"CUSTOMER_PAYMENT","orders":[
     {"key":"a","account_id":"b","amount":{"amount":"0.01","currency":"CAD"}},
     {"reference":"r","amount":{"currency":"CAD","amount":"2"},"account_id":"d","key":"c"}]}
    """#
  private static let transfer = #"""
    {"source_account_id":"a","destination_account_id":"b","fund_transfer":{"amount":"0.01","currency":"CAD"}}
    """#

  @Test("plain bodies are read without a tree")
  func plain() throws {
    let batch = try #require(PlainJSONReader.read(Data(Self.batch.utf8)) { PostingBodies.Batch(plain: &$0) })
    #expect(batch.orders.map(\.key) == ["a", "c"] && batch.orders.map(\.reference) == [nil, "r"])
    #expect(General(batch) == (try StrictJSON.decode(General.self, from: Data(Self.batch.utf8))))
    let transfer = try #require(
      PlainJSONReader.read(Data(Self.transfer.utf8)) { FinapticAPI.InitiateTransferRequest(plain: &$0) })
    #expect(GeneralTransfer(transfer) == (try StrictJSON.decode(GeneralTransfer.self, from: Data(Self.transfer.utf8))))
  }

  @Test("of a damaged body both ways read the same, or have the same problem", arguments: 1...4)
  func same(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let alphabet = Array(#"{}[]:,"\u0a null1key"#.utf8)
    func damaged(_ text: String) -> Data {
      var bytes = Array(text.utf8)
      for _ in 0..<Int.random(in: 0...2, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[place] = alphabet.randomElement(using: &generator) ?? 0
        case 1: bytes.insert(alphabet.randomElement(using: &generator) ?? 0, at: place)
        default: bytes.remove(at: place)
        }
      }
      return Data(bytes)
    }
    func told<Value>(_ body: () throws -> Value) -> Told<Value> {
      do { return .read(try body()) } catch let problem as Problem {
        return .refused("\(problem.code) \(problem.fields)")
      } catch { return .refused("\(error)") }
    }
    for _ in 0..<1000 {
      let body = damaged(Self.batch)
      let general = told { try StrictJSON.decode(General.self, from: body) }
      let read = told { General(try StrictJSON.decode(PostingBodies.Batch.self, from: body)) }
      #expect(read == general, "\(String(decoding: body, as: UTF8.self))")
      let call = damaged(Self.transfer)
      let form = told { try StrictJSON.decode(GeneralTransfer.self, from: call, ignoringUnknown: true) }
      let request = told {
        GeneralTransfer(
          try StrictJSON.decode(FinapticAPI.InitiateTransferRequest.self, from: call, ignoringUnknown: true))
      }
      #expect(request == form, "\(String(decoding: call, as: UTF8.self))")
    }
  }

  @Test("answers are written as the encoder writes them", arguments: ["Ada Lovelace", "Zoë \"Z\" O/B\\", nil])
  func written(name: String?) throws {
    let results = PostingBodies.Results(results: [
      .init(key: "a", status: "BOOKED", transaction_id: "t"),
      .init(key: "b", status: "DECLINED", transaction_id: "u", declined: "insufficient_funds"),
      .init(key: "c\n\"", status: "REFUSED", problem: "over-limit"),
    ])
    #expect(results.json == (try WireJSON.encode(results)))
    #expect(PostingBodies.Results(results: []).json == (try WireJSON.encode(PostingBodies.Results(results: []))))
    for reason in ["", "Less is available.", nil] {
      var answer = FinapticAPI.InitiateTransferResponse(
        details: .init(
          transactionId: "t", lifecycleTransactionId: "l", status: "COMPLETED", customerRole: "INITIATOR",
          transferType: "INTERNAL_ACCOUNT_TO_ACCOUNT", counterparty: name.map { .init(legalName: $0) },
          clearingSystemRefNumber: "t"), reason: reason)
      #expect(try answer.json() == WireJSON.encode(answer))
      answer.details.remittance = .init(unstructured: .init(data: "for lunch"), structured: nil)
      #expect(try answer.json() == WireJSON.encode(answer))
    }
  }
}
