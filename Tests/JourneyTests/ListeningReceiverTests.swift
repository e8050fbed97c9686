// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import Kit
import TestSupport
import Testing

@testable import GatehouseApp
@testable import gatehouse

@Suite("Webhooks: the receiver for development", .storeless)
struct ListeningReceiverTests {
  private let world = TestWorld().world

  @Test("it knows genuine messages, also while a secret is turned over, and refuses all others")
  func genuine() {
    let (one, two, other) = (WebhookSecret(world), WebhookSecret(world), WebhookSecret(world))
    let receiver = WebhookReceiver(secrets: [one, two], world: world)
    let body = Data(#"{"a":1}"#.utf8)
    for (secret, isGenuine) in [(one, true), (two, true), (other, false)] {
      let fields = secret.fields(id: "m-1", seconds: world.now().seconds, body: body)
      let verified = receiver.verify(
        body, id: "m-1", timestamp: fields["webhook-timestamp"], signatures: fields["webhook-signature"])
      #expect(verified.isGenuine == isGenuine && verified.text.contains(isGenuine ? "genuine" : "REFUSED"))
      #expect(verified.text.hasSuffix(#"{"a":1}"#))
    }
    #expect(!receiver.verify(body, id: nil, timestamp: nil, signatures: nil).isGenuine)
  }

  @Test("what a stranger sends does not move a terminal's cursor")
  func printable() {
    let receiver = WebhookReceiver(secrets: [WebhookSecret(world)], world: world)
    let verified = receiver.verify(
      Data("a\u{1b}[2Jb\u{7}\nc".utf8), id: "x\u{1b}]0;y", timestamp: "0", signatures: "v1,AAAA")
    let isControl = { (scalar: Unicode.Scalar) in scalar != "\n" && scalar.properties.generalCategory == .control }
    #expect(!verified.text.unicodeScalars.contains(where: isControl) && verified.text.hasSuffix("a[2Jb\nc"))
  }
}
