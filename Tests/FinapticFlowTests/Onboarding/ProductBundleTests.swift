// SPDX-License-Identifier: Apache-2.0

import Foundation
import FinapticWire
import Kit
import Storage
import TestSupport
import Testing

@testable import FinapticFlow

@Suite("Finaptic onboarding: bundles are a tenant's data")
struct ProductBundleTests {
  /// A bundle of an operator's, with members that a test changes.
  private static func json(_ change: (inout [String: Any]) -> Void = { _ in }) throws -> Data {
    var bundle: [String: Any] = [
      "id": "savingsV1", "aliases": ["savings"],
      "verifications": [
        ["name": "ProfileCreation", "requiredUpdates": ["UpdatePersonalDetailsRequest", "UpdateConsentsRequest"]]
      ],
      "consents": [["type": "CONSENT_TYPE_PRIVACY_POLICY", "neededBeforeValidation": false]], "disclosures": [Any](),
      "products": ["account"],
    ]
    change(&bundle)
    return try JSONSerialization.data(withJSONObject: ["bundles": [bundle]])
  }

  @Test("what comes with the program can be printed, changed and loaded", .storeless)
  func printed() throws {
    let text = try ProductBundleFile.text(ProductBundleFile.standard)
    #expect(try ProductBundleFile.read(Data(text.utf8), "printed") == ProductBundleFile.standard)
  }

  /// What is wrong, the member, and the JSON in its place; none leaves the member out.
  private static let faults: [(String, String, String?)] = [
    ("an unknown member", "colour", #""red""#), ("a missing member", "products", nil),
    ("an id of other letters", "id", #""a b""#), ("an id that is too long", "id", "\"\(RuleTable.letters(65))\""),
    ("an alias that is the id", "aliases", #"["savingsV1"]"#),
    ("an unknown check", "verifications", #"[{"name": "Mood", "requiredUpdates": []}]"#),
    ("an unknown update", "verifications", #"[{"name": "KYC", "requiredUpdates": ["UpdateMood"]}]"#),
    ("no name of a customer", "verifications", #"[{"name": "KYC", "requiredUpdates": ["UpdateConsentsRequest"]}]"#),
    (
      "an age without a home", "verifications",
      #"[{"name": "KYC", "requiredUpdates": ["UpdatePersonalDetailsRequest", "UpdateConsentsRequest"]}]"#
    ),
    (
      "an update twice", "verifications",
      #"[{"name": "AccountUsage", "requiredUpdates": ["UpdatePersonalDetailsRequest", "UpdatePersonalDetailsRequest", "#
        + #""UpdateConsentsRequest"]}]"#
    ),
    (
      "consents that no update asks for", "verifications",
      #"[{"name": "ProfileCreation", "requiredUpdates": ["UpdatePersonalDetailsRequest"]}]"#
    ),
    ("an update for no consents", "consents", "[]"),
    ("an unknown consent", "consents", #"[{"type": "CONSENT_TYPE_MOOD", "neededBeforeValidation": true}]"#),
    (
      "a disclosure that no update asks for", "disclosures",
      #"[{"type": "DISCLOSURE_TYPE_CREDIT_CARD_INFORMATION_BOX", "neededBeforeValidation": false}]"#
    ),
    ("an unknown product", "products", #"["yacht"]"#),
    ("a card without an account", "products", #"["prepaidCard"]"#),
    ("too many products", "products", "[" + Array(repeating: #""account""#, count: 9).joined(separator: ",") + "]"),
  ]

  @Test("a file that is not right is refused with a reason", .storeless, arguments: faults.indices)
  func refused(index: Int) throws {
    let (what, member, value) = Self.faults[index]
    let instead = try value.map { try JSONSerialization.jsonObject(with: Data($0.utf8), options: .fragmentsAllowed) }
    let json = try Self.json { $0[member] = instead }
    #expect(throws: ProductBundleFile.Fault.self, "\(what)") { try ProductBundleFile.read(json, "bundles.json") }
  }

  @Test("the reason names the file and the member, and not what was there", .storeless)
  func reason() throws {
    let json = try Self.json { $0["products"] = ["yacht"] }
    let fault = #expect(throws: ProductBundleFile.Fault.self) { try ProductBundleFile.read(json, "bank.json") }
    #expect(fault?.description == "bank.json: /bundles/0/products/0 This member does not have the right form.")
  }

  @Test("a folder is every file in it, and a name is given once", .storeless)
  func folder() throws {
    let folder = try TestFolder()
    try Self.json().write(to: URL(fileURLWithPath: folder.file("a.json")))
    try Self.json { ($0["id"], $0["aliases"]) = ("loanV1", [String]()) }
      .write(to: URL(fileURLWithPath: folder.file("b.json")))
    try Data("no".utf8).write(to: URL(fileURLWithPath: folder.file("notes.txt")))
    let path = URL(fileURLWithPath: folder.file("a.json")).deletingLastPathComponent().path
    #expect(try ProductBundleFile.read(path: path).map(\.id) == ["savingsV1", "loanV1"])
    try Self.json { ($0["id"], $0["aliases"]) = ("savings", [String]()) }
      .write(to: URL(fileURLWithPath: folder.file("c.json")))
    #expect(throws: ProductBundleFile.Fault.self) { try ProductBundleFile.read(path: path) }
    #expect(throws: ProductBundleFile.Fault.self) { try ProductBundleFile.read(path: folder.file("d.json")) }
  }

  @Test("what a tenant loaded is what people may apply for there, and nowhere else")
  func offered() async throws {
    try await OnboardingTestApp.run { app in
      let bundleCommands = app.service.dependencies.bundles
      #expect(try await bundleCommands.offered(by: OnboardingTestApp.sandbox).map(\.id).first == "depositV1")
      let own = try ProductBundleFile.read(try Self.json(), "own")
      try await bundleCommands.load(own, of: OnboardingTestApp.sandbox, by: "test")
      #expect(try await bundleCommands.offered(by: OnboardingTestApp.sandbox) == own)
      #expect(try await app.initiate("depositV1", tenant: OnboardingTestApp.sandbox) == "INVALID_ARGUMENT")
      #expect(try await app.initiate("savingsV1", tenant: OnboardingTestApp.production) == "INVALID_ARGUMENT")
      #expect(try await app.initiate("savings", tenant: OnboardingTestApp.sandbox) == "OK")

      let applicant = try await OnboardingApplicant(app, bundle: "savingsV1")
      #expect(applicant.terms.map(\.documentType) == ["CONSENT_TYPE_PRIVACY_POLICY"])
      #expect(try await applicant.personal().details().verificationNeeded?.map(\.name) == ["ProfileCreation"])
      #expect(try await applicant.call(.acceptApplication).code == "FAILED_PRECONDITION")
      _ = try await applicant.consents()
      #expect(
        try await applicant.call(.acceptApplication).details().onboardingApplicationStatus == "Application Accepted")
    }
  }

  @Test("an application goes on with its bundle, as it is now, when it is no longer offered")
  func underWay() async throws {
    try await OnboardingTestApp.run { app in
      let bundleCommands = app.service.dependencies.bundles
      try await bundleCommands.load(
        try ProductBundleFile.read(try Self.json(), "own"), of: OnboardingTestApp.sandbox, by: "test")
      let applicant = try await OnboardingApplicant(app, bundle: "savingsV1")
      _ = try await applicant.personal()
      // Changed: another update is needed now.
      let more = ["UpdatePersonalDetailsRequest", "UpdateContactDetailsRequest", "UpdateConsentsRequest"]
      let changed = try Self.json { $0["verifications"] = [["name": "ProfileCreation", "requiredUpdates": more]] }
      try await bundleCommands.load(
        try ProductBundleFile.read(changed, "own"), of: OnboardingTestApp.sandbox, by: "test")
      #expect(
        try await applicant.status().details().verificationNeeded?.first?.requiredUpdates.contains(
          "UpdateContactDetailsRequest") == true)
      // Gone from what is offered.
      let other = try Self.json { ($0["id"], $0["aliases"]) = ("loanV1", [String]()) }
      try await bundleCommands.load(try ProductBundleFile.read(other, "own"), of: OnboardingTestApp.sandbox, by: "test")
      #expect(try await app.initiate("savingsV1", tenant: OnboardingTestApp.sandbox) == "INVALID_ARGUMENT")
      #expect(try await applicant.contact().details().onboardingApplicationStatus == "Data Collection")
      _ = try await applicant.consents()
      #expect(
        try await applicant.call(.acceptApplication).details().onboardingApplicationStatus == "Application Accepted")
      await #expect(throws: Problem.notFound) { try await bundleCommands.load([], of: 9, by: "test") }
    }
  }

  @Test("whether identity is checked stays as it is under an id that is known, and nothing of the file is loaded")
  func checkOfIdentity() async throws {
    try await OnboardingTestApp.run { app in
      let (bundleCommands, tenant) = (app.service.dependencies.bundles, OnboardingTestApp.sandbox)
      let checked = [
        [
          "name": "KYC",
          "requiredUpdates": ["UpdatePersonalDetailsRequest", "UpdateAddressesRequest", "UpdateConsentsRequest"],
        ] as [String: Any]
      ]
      func bundle(_ id: String, isChecked: Bool) throws -> [ProductBundle] {
        let json = try Self.json {
          ($0["id"], $0["aliases"]) = (id, [String]())
          if isChecked { $0["verifications"] = checked }
        }
        return try ProductBundleFile.read(json, "own")
      }
      let (plain, safe) = (try bundle("plainV1", isChecked: false), try bundle("safeV1", isChecked: true))
      try await bundleCommands.load(plain + safe, of: tenant, by: "test")
      // Also one that is no longer offered, and one of the program's.
      try await bundleCommands.load(plain, of: tenant, by: "test")
      for (id, isChecked) in [("plainV1", true), ("safeV1", false), ("depositV1", false)] {
        let own = try bundle("otherV1", isChecked: true) + bundle(id, isChecked: isChecked)
        let problem = await #expect(throws: Problem.self) { try await bundleCommands.load(own, of: tenant, by: "test") }
        #expect(problem?.code == "bundle-check-differs" && problem?.detail.hasPrefix(id) == true)
      }
      #expect(try await bundleCommands.offered(by: tenant) == plain)
      // Another tenant's ids are its own, and the same again is no change.
      try await bundleCommands.load(
        try bundle("plainV1", isChecked: true), of: OnboardingTestApp.production, by: "test")
      try await bundleCommands.load(safe, of: tenant, by: "test")
      #expect(try await bundleCommands.offered(by: tenant) == safe)
    }
  }

  @Test("of two loads at once one is what is offered, and not both")
  func sideBySide() async throws {
    try await OnboardingTestApp.run { app in
      let bundleCommands = app.service.dependencies.bundles
      let sets = try ["oneV1", "twoV1", "threeV1"].map { id in
        try ProductBundleFile.read(try Self.json { ($0["id"], $0["aliases"]) = (id, [String]()) }, "own")
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for own in sets {
          group.addTask { try await bundleCommands.load(own, of: OnboardingTestApp.sandbox, by: "test") }
        }
        try await group.waitForAll()
      }
      #expect(sets.contains(try await bundleCommands.offered(by: OnboardingTestApp.sandbox)))
    }
  }
}

extension OnboardingTestApp {
  /// The code of beginning an application.
  fileprivate func initiate(_ bundle: String, tenant: Int) async throws -> String {
    try await call(.initiateApplication, FinapticAPI.InitiateApplicationRequest(bundleId: bundle), tenant: tenant).code
  }
}
