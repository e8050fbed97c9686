// SPDX-License-Identifier: Apache-2.0

import Kit
import Testing
import TestSupport

@Suite("Kit: refusals", .storeless)
struct ProblemTests {
  @Test(
    "what is not there is told by its kind and is the same refusal for clients that read codes",
    arguments: NamedResource.allCases)
  func missing(resource: NamedResource) {
    let problem = Problem.missing(resource)
    #expect(problem == .notFound && problem.code == Problem.notFound.code)
    #expect(problem.detail == "There is no such \(resource.rawValue)." && Problem.notFound.resource == nil)
    #expect(Problem.notFound.detail == "There is no such resource.")
  }
}
