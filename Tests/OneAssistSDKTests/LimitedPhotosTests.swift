// SPDX-License-Identifier: Apache-2.0

import Foundation
import OneAssistCore
import OneAssistSDK
import TestSupport
import Testing

@Suite("OneAssistSDK: where the identifiers are, and an app that may see chosen photos only")
struct LimitedPhotosTests {
  /// A phone whose user leaves for Settings and comes back, with what is picked then.
  private func phone(_ permission: PhotoPermission.Answer, picks: Screenshot?) -> TestPhone {
    let phone = TestPhone()
    phone.change { state in
      (state.permission, state.picks) = (permission, picks)
      state.onSheet = { phone in
        phone.tell(.left)
        phone.tell(.returned)
      }
    }
    return phone
  }

  private func screenshot(on phone: TestPhone, secondsAgo: Double = 0) -> Screenshot {
    Screenshot(takenAt: phone.clock.wall - secondsAgo) { Data("screenshot".utf8) }
  }

  @Test("issue 29: the user picks the screenshot after coming back, and is asked once")
  func picked() async throws {
    let phone = phone(.limited, picks: nil)
    phone.change { [pick = screenshot(on: phone)] in $0.picks = pick }
    let app = try await phone.started()
    #expect(try await app.fetchDeviceId() == .provideUserBasicDetail)
    #expect(phone.server.lastBody("text").contains("screenshot"))
    #expect(phone.read { $0.choices } == 1)
  }

  @Test("picking none, or one from before, is as if none had been taken")
  func none() async throws {
    for secondsAgo in [nil, 1.0] {
      let phone = phone(.limited, picks: nil)
      if let secondsAgo {
        phone.change { [pick = screenshot(on: phone, secondsAgo: secondsAgo)] in $0.picks = pick }
      }
      let app = try await phone.started()
      #expect(await thrown { try await app.fetchDeviceId() } == .ERROR_SCREENSHOT_FETCH)
      #expect(phone.read { $0.choices } == 1 && phone.server.last("text") == nil)
    }
  }

  @Test("coming back from the system's question for the photos, without having left since, asks for nothing yet")
  func question() async throws {
    let phone = phone(.limited, picks: nil)
    phone.change { [pick = screenshot(on: phone)] state in
      state.picks = pick
      state.onSheet = { phone in
        phone.tell(.returned)
        phone.tell(.missing)
      }
    }
    let app = try await phone.started()
    #expect(await thrown { try await app.fetchDeviceId() } == .ERROR_SCREENSHOT_FETCH)
    #expect(phone.read { $0.choices } == 0)
  }

  @Test("what is picked while the screen is recorded is refused")
  func recorded() async throws {
    let phone = phone(.limited, picks: nil)
    phone.change { [pick = screenshot(on: phone)] in ($0.picks, $0.isCaptured) = (pick, true) }
    let app = try await phone.started()
    #expect(await thrown { try await app.fetchDeviceId() } == .ERROR_SCREEN_RECORDING)
  }

  @Test("an app that sees the whole library is told of the screenshot, and asks for no pick")
  func full() async throws {
    let phone = phone(.full, picks: nil)
    phone.change { state in
      state.onSheet = { phone in
        phone.tell(.left)
        phone.tell(.returned)
        phone.takeScreenshot()
      }
    }
    let app = try await phone.started()
    #expect(try await app.fetchDeviceId() == .provideUserBasicDetail)
    #expect(phone.read { $0.choices } == 0)
  }

  @Test("the page of Settings that the user is led to is read: the numbers of both slots, and no other number")
  func settings() throws {
    let page = """
      About
      Model Number MLPG3HN/A
      Serial Number F2LXK0PTN735
      Wi-Fi Address A4:83:E7:01:02:03
      SEID 0411A2B3C4D5E6F70011223344556677
      EID 89049032004008882600013245678901
      Carrier Lock No SIM restrictions
      Physical SIM
      IMEI 35 900011 000001 2
      ICCID 8991000900012345678
      eSIM
      IMEI2 49 015420 323751 8
      """
    let reading = try #require(IMEIReading(text: page))
    #expect(reading.primary.digits == TestPhone.imei && reading.secondary?.digits == TestPhone.otherIMEI)
    #expect(!reading.isCrowded)
  }
}

@Suite("OneAssistSDK: pictures that are small enough to be sent")
struct PictureFitterTests {
  /// Bytes of a picture of a width, by its quality.
  private func fitted(width: Double, bytesMax: Int) -> (bytes: Int, asked: [Double])? {
    var asked: [Double] = []
    let data = PictureFitter.fitted(
      width, bytesMax: bytesMax,
      encode: { width, quality in
        asked.append(quality)
        return Data(count: Int(width * width * quality))
      }, shrink: { width, part in width * part })
    return data.map { ($0.count, asked) }
  }

  @Test("a picture that fits is sent as it is; another loses quality and width until it fits")
  func fits() {
    #expect(fitted(width: 10, bytesMax: 90).map { $0.bytes } == 90)
    let smaller = fitted(width: 10, bytesMax: 40)
    // 100 bytes × 0.9, then 64 × 0.8, then 40.96 × 0.7.
    #expect(smaller?.bytes == 28 && smaller?.asked == [0.9, 0.8, 0.7])
  }

  @Test("what does not fit in the lowest quality, or cannot be encoded, is not sent")
  func refused() {
    #expect(fitted(width: 1000, bytesMax: 10) == nil)
    #expect(PictureFitter.fitted(1, bytesMax: 10, encode: { _, _ in nil }, shrink: { one, _ in one }) == nil)
  }
}
