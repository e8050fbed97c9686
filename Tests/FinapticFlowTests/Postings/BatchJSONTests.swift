// SPDX-License-Identifier: Apache-2.0

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
    for _ in 0..<1000 { Self.compare(batch: damaged(Self.batch), transfer: damaged(Self.transfer)) }
  }

  /// What programs may write for a text, an object or a list, and what only looks like it.
  @Test(
    "of values that are special both ways read the same, or have the same problem",
    arguments: [
      #""\u0061""#, #""\u00e9""#, #""é""#, #""\/""#, #""\"""#, #""\\""#, #""\ud83d\ude00""#, #""\ud83d""#,
      #""\u0000""#, #""\x""#, #""\""#, "\"\u{7f}\"", "\"\u{0}\"", "\"a\nb\"", "\"\"", "''", "null", "true", "0",
      "-0", "1e3", "01", "1.", "NaN",
      "[]", "{}", "[null]", #"["b"]"#, #"{"amount":"1"}"#, #"{"amount":"1","currency":"CAD","amount":"2"}"#,
      #"{"amount":"1","currency":"CAD","x":1}"#, #"{"currency":"CAD","amount":1}"#, #""b","key":"z""#,
      #""b","account_id":"z""#, #""b","source_account_id":"z""#, #""b","x":{"y":[{}]}"#, #""b"}"#, #""b"},"#, #""b"]"#,
      String(repeating: "[", count: 40) + String(repeating: "]", count: 40), "\u{feff}\"b\"", "\"b\"//", "/**/\"b\"",
    ])
  func special(value: String) {
    for place in [#""b""#, #""a""#, #"{"amount":"0.01","currency":"CAD"}"#, #""0.01""#, #""DEPOSIT""#, #""r""#] {
      func changed(_ text: String) -> Data { Data(text.replacing(place, with: value, maxReplacements: 1).utf8) }
      Self.compare(batch: changed(Self.batch), transfer: changed(Self.transfer))
    }
    for text in [value, " \(value)", "{\(value)}", "[\(value)]"] {
      Self.compare(batch: Data(text.utf8), transfer: Data(text.utf8))
      Self.compare(batch: Data("\(Self.batch)\(text)".utf8), transfer: Data("\(Self.transfer)\(text)".utf8))
      Self.compare(batch: Data("\(text)\(Self.batch)".utf8), transfer: Data("\(text)\(Self.transfer)".utf8))
    }
  }

  /// Both forms by the plain reader, where it takes them, and by the general one alone.
  private static func compare(batch: Data, transfer: Data) {
    func told<Value>(_ body: () throws -> Value) -> Told<Value> {
      do { return .read(try body()) } catch let problem as Problem {
        return .refused("\(problem.code) \(problem.fields)")
      } catch { return .refused("\(error)") }
    }
    let general = told { try StrictJSON.decode(General.self, from: batch) }
    let read = told { General(try StrictJSON.decode(PostingBodies.Batch.self, from: batch)) }
    #expect(read == general, "\(String(decoding: batch, as: UTF8.self))")
    let form = told { try StrictJSON.decode(GeneralTransfer.self, from: transfer, ignoringUnknown: true) }
    let request = told {
      GeneralTransfer(
        try StrictJSON.decode(FinapticAPI.InitiateTransferRequest.self, from: transfer, ignoringUnknown: true))
    }
    #expect(request == form, "\(String(decoding: transfer, as: UTF8.self))")
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
