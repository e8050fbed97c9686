// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import GatehouseTransport

@Suite("Transport: why an app asks for a face")
struct FaceIDUsageTests {
  @Test("only words that a user can read describe it")
  func described() {
    #expect(FaceIDUsage.isDescribed(in: ["NSFaceIDUsageDescription": "To confirm payments."]))
    for value in ["", " \n", 1, ["To confirm payments."]] as [Any] {
      #expect(!FaceIDUsage.isDescribed(in: ["NSFaceIDUsageDescription": value]), "\(value)")
    }
    #expect(!FaceIDUsage.isDescribed(in: ["NSCameraUsageDescription": "To scan."]))
  }
}
