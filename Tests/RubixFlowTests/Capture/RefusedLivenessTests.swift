// SPDX-License-Identifier: Apache-2.0

import Evidence
import Foundation
import Kit
import RubixWire
import Testing

@testable import RubixFlow

@Suite("Rubix: a liveness picture that is refused")
struct RefusedLivenessTests {
  @Test("it is stored where there is none yet, and leaves no object beside an earlier good one")
  func objects() async throws {
    let app = try await AgentTestApp()
    let (customer, picture) = try await app.customerWithSelfie()
    func upload(_ result: Evidence.LivenessResult.Result) async throws -> Int {
      let capture = app.rubix.capture(
        evidence: EvidenceReader(),
        liveness: Liveness { seen in
          #expect(seen != picture && ImageFormat(sniffing: seen) == .jpeg, "encoded anew, not what was sent")
          return Evidence.LivenessResult(result: result, score: 0.5)
        })
      return try await capture.uploadLiveness(app.request(customer, LivenessUploadRequest(file: picture))).status
    }
    #expect(try await upload(.spoof) == 422)
    #expect(app.blobKeys.count == 1)
    #expect(try await upload(.live) == 201)
    // The one before it was replaced, and is kept with its row.
    let stored = app.blobKeys
    #expect(try await upload(.spoof) == 422)
    #expect(try await upload(.undetermined) == 422)
    #expect(app.blobKeys == stored)
    let rows = try await app.count("SELECT COUNT(*) AS n FROM rubix_image")
    #expect(rows == stored.count)
  }
}
