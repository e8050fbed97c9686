// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite("Journey: the proxy that the handbook prints", .onOneEngine)
struct PrintedProxyTests {
  private static let register = "/api/v1/onboarding/auth/register"

  @Test(
    "nginx as printed spreads requests over TLS, takes a picture, and goes on when a node is down or killed",
    .enabled(if: PrintedProxy.canRun, "\(PrintedProxy.missing)"),
    .enabled(if: ServedProcess.program != nil, "\(ServedProcess.missing)"), .timeLimit(.minutes(3)))
  func printed() throws {
    let variables = ["GATEHOUSE_TRUST_PROXY": "true", "GATEHOUSE_PROXY_HEADER": "x-forwarded-for"]
    let first = try ServedProcess(graceSeconds: 0, variables: variables)
    defer { first.kill() }
    let ports = [try first.port("listening")]
    let second = try ServedProcess(graceSeconds: 0, data: first.data, variables: variables)
    defer { second.kill() }
    // The third one of the document is down: its port is closed.
    let proxy = try PrintedProxy(ports + [try second.port("listening"), try ListeningPort().number])
    func expectAnswers(_ when: Comment) throws {
      for _ in 0..<8 {
        #expect(try proxy.ask("/openapi.json") == "200 application/json; charset=utf-8", when)
        // A POST that no node has got yet goes to the next one as well.
        let answer = try proxy.ask(Self.register, "-H", "Content-Type: application/json", "-d", "{}")
        #expect(answer == "422 application/problem+json", when)
      }
    }
    try expectAnswers("one of three is down")
    let strict = try proxy.ask("/openapi.json", "-w", "%header{strict-transport-security}")
    #expect(strict == "max-age=31536000; includeSubDomains")

    let folder = try TestFolder()
    for (size, answer) in [(29, "application/problem+json"), (33, "413 text/html")] {
      let picture = folder.file("picture")
      try Data(count: size << 20).write(to: URL(filePath: picture))
      let got = try proxy.ask(Self.register, "-H", "Content-Type: application/json", "--data-binary", "@\(picture)")
      #expect(got.hasSuffix(answer), "\(size) MiB: \(got)")
    }

    first.kill()
    #expect(first.wait() == nil)
    try expectAnswers("two of three are down")
    second.terminate()
    #expect(second.wait() == 0)
    #expect(try proxy.ask("/openapi.json").hasPrefix("502 "))
  }
}
