// SPDX-License-Identifier: Apache-2.0

import SaltEdgeFlow
import TestSupport
import Testing

@Suite("Salt Edge: the flows as they are drawn", .storeless)
struct FlowGoldenTests {
  @Test("the documentation shows the tables as they are")
  func drawn() throws {
    #expect(
      try GoldenFile.difference(
        of: connectionFlow.diagram(initial: .authenticating), from: "docs/flows/saltedge-connection.mmd") == nil)
    #expect(
      try GoldenFile.difference(
        of: authorizationFlow.diagram(initial: .pending), from: "docs/flows/saltedge-authorization.mmd") == nil)
    #expect(
      try GoldenFile.difference(of: operationFlow.diagram(initial: .offered), from: "docs/flows/saltedge-operation.mmd")
        == nil)
    #expect(
      try GoldenFile.difference(of: consentFlow.diagram(initial: .open), from: "docs/flows/saltedge-consent.mmd") == nil
    )
  }
}
