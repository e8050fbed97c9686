// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import OneAssistWire
import Testing

@Suite("OneAssist: words on the wire")
struct OneAssistWireTests {
  private func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
    try WireJSON.decode(type, from: Data(text.utf8))
  }

  @Test("an order is read whole")
  func order() throws {
    let text = #"""
      {"status":"success","data":{"orderInfo":{"orderId":6582689,"price":1199,"partnerInfo":{"partnerCode":853}},
       "customerInfo":[{"custId":"c","activityRefId":"5b3f","mobileNo":9876543210,
         "addressInfo":{"addressType":"INSPECTION","addrLine1":null,"pincode":null},
         "assetInfo":[{"brand":"Apple","model":"iPhone 14","invoiceValue":60000}]}],
       "taskInfo":{"name":"FD","status":"POSTDTLPENDING","uploadDocsLastDate":"2026-12-21","enableFDFlow":"Y"},
       "membershipInfo":{"memUUID":"m"},"activationInfo":{"activationCode":"A1"},"uploadLink":{"sentAt":null}}}
      """#
    let order = try decode(OneAssist.Envelope<OneAssist.OrderInfo>.self, text)
    #expect(order.isSuccess)
    #expect(order.data?.taskInfo?.status == "POSTDTLPENDING")
    #expect(order.data?.customerInfo?.first?.mobileNo == 9_876_543_210)
    #expect(order.data?.customerInfo?.first?.assetInfo?.first?.brand == "Apple")
    #expect(order.data?.uploadLink?.sentAt == nil && order.data?.activationInfo?.activationCode == "A1")
  }

  @Test("the status is read whatever else is missing, null or of another type")
  func tolerant() throws {
    for rest in [
      "", #","orderInfo":null"#, #","orderInfo":7,"customerInfo":{"a":1}"#,
      #","customerInfo":[{"mobileNo":"9876543210","assetInfo":"none"}],"new":[1]"#,
    ] {
      let order = try decode(
        OneAssist.Envelope<OneAssist.OrderInfo>.self,
        #"{"status":"success","data":{"taskInfo":{"status":"QUEUED"}\#(rest)}}"#)
      #expect(order.data?.taskInfo?.status == "QUEUED")
    }
    let number = try decode(OneAssist.OrderInfo.Customer.self, #"{"mobileNo":"9876543210","custId":12}"#)
    #expect(number.mobileNo == 9_876_543_210 && number.custId == "12")
  }

  @Test("a failure is read under either name of its list, and its message under either of its own")
  func failures() throws {
    for list in ["errors", "error"] {
      let answer = try decode(
        OneAssist.Envelope<OneAssist.TaskStatus>.self,
        #"{"status":"failure","\#(list)":[{"errorCode":"X1","message":"no"}],"extra":{"taskInfo":{"status":"PENDING"}}}"#
      )
      #expect(!answer.isSuccess && answer.errors.first?.errorCode == "X1")
      #expect(answer.extra?.taskInfo?.status == "PENDING")
    }
    #expect(try decode(OneAssist.Envelope<OneAssist.TaskStatus>.self, #"{"responseMessage":"busy"}"#).message == "busy")
    #expect(try decode(OneAssist.Envelope<OneAssist.TaskStatus>.self, #"{"errors":"none","data":3}"#).errors.isEmpty)
  }

  @Test("what is written is exact: every member, null where there is nothing")
  func exact() throws {
    let link = OneAssist.LinkAnswer(
      sentAt: nil, retryAfterSeconds: 30, maskedNumber: "******3210", taskInfo: nil)
    #expect(
      String(decoding: try WireJSON.encode(OneAssist.Envelope(link)), as: UTF8.self)
        == #"{"data":{"maskedNumber":"******3210","retryAfterSeconds":30,"sentAt":null,"taskInfo":null},"errors":[],"#
        + #""message":null,"status":"success","statusCode":200}"#)
    let failure = OneAssist.Envelope<OneAssist.TaskStatus>(
      [.init(errorCode: "RATE_LIMITED", message: "Later.")], statusCode: 429,
      extra: .init(taskInfo: .init(status: "REUPLOAD")))
    let again = try WireJSON.decode(OneAssist.Envelope<OneAssist.TaskStatus>.self, from: WireJSON.encode(failure))
    #expect(again == failure)
  }

  @Test("recognised text is found in the vendor's place and in the plain one")
  func text() throws {
    #expect(try decode(OneAssist.TextAnswer.self, #"{"text":"a"}"#).anyText == "a")
    #expect(
      try decode(OneAssist.TextAnswer.self, #"{"responses_":[{"fullTextAnnotation_":{"text_":"b"}}]}"#).anyText == "b")
    #expect(try decode(OneAssist.TextAnswer.self, #"{"responses_":[]}"#).anyText == nil)
  }
}
