// SPDX-License-Identifier: Apache-2.0

import Casework
import Evidence
import FinapticFlow
import Foundation
import Kit
import OneAssistFlow
import SaltEdgeFlow
import Screening

/// A reason for which the server refuses to start.
package struct StartFault: Sendable, Equatable, CustomStringConvertible {
  /// What the setting `waive` calls a fault that an operator may accept.
  package enum Waiver: String, Sendable, CaseIterable {
    case sms, mail, screening, faces, documents, specimens, calls, proxy, tls
    case consoleURL = "console.publicUrl"
    case finapticURL = "finaptic.publicUrl"
    case oneAssistURL = "oneassist.publicUrl"
    case saltEdgeURL = "saltedge.publicUrl"
    case privateWebhooks = "webhooks.allowPrivate"
    case clearMail = "smtp.security"
  }

  /// Nil for a fault that cannot be waived.
  package let waiver: Waiver?
  let sentence: String

  package var description: String { waiver.map { "\(sentence) [waive: \($0.rawValue)]" } ?? sentence }

  /// What stands below a list of faults.
  package static func advice(on faults: [StartFault]) -> [String] {
    faults.contains { $0.waiver != nil }
      ? ["What the installation goes without is named in the setting waive, by the word behind \"waive:\"."] : []
  }
}

/// Everything that is missing for a start, in one error.
package struct StartRefused: Error, CustomStringConvertible {
  package let faults: [StartFault]

  package var description: String {
    (["the configuration is not fit for a start:"] + (faults.map { "  - \($0)" } + StartFault.advice(on: faults)))
      .joined(separator: "\n")
  }
}

extension Settings {
  /// - Returns: the same with the models that were loaded for the list, which the application then does not load again.
  /// - Throws: `StartRefused` with every fault that is not waived.
  @discardableResult
  package func requireStart() throws -> Settings {
    let models = Result { try loadModels() }
    let faults = startFaults(kms: kmsFault, models)
    guard faults.isEmpty else { throw StartRefused(faults: faults) }
    var ready = self
    ready.loadedModels = try models.get()
    return ready
  }

  /// What keeps this configuration from being served, without what the operator waives. Files are looked at as they
  /// are now.
  package var startFaults: [StartFault] { startFaults(kms: kmsFault) }

  /// - Parameter kms: what `kmsFault` told, for who looks at more than the list: it asks the KMS with the PIN.
  func startFaults(kms: String?) -> [StartFault] { startFaults(kms: kms, Result { try loadModels() }) }

  private func startFaults(kms: String?, _ models: Result<LoadedModels?, any Error>) -> [StartFault] {
    var unloadable: String?
    if case .failure(let error) = models { unloadable = "\(error): fetch it again, or leave models out" }
    let told = [ringFault.map { "\($0)" }, epochKeyFault.map { "\($0)" }, kms, unloadable].compactMap(\.self)
    return told.map { StartFault(waiver: nil, sentence: $0) } + runningFaults
  }

  private var ringFault: KeyringError? { Keyring.fault(at: keyringPath, isWrapped: kms.token != nil) }
  private var epochKeyFault: EpochKeyError? { EpochKeyFile.fault(at: epochKeyPath, isWrapped: kms.token != nil) }

  /// The same for a process that runs: it has read the keys, whose files may be wrapped by a KMS before its restart.
  var runningFaults: [StartFault] {
    var faults: [StartFault] = []
    func add(_ sentence: String, _ waiver: StartFault.Waiver? = nil) {
      if waiver.map({ !waived.contains($0) }) ?? true { faults.append(.init(waiver: waiver, sentence: sentence)) }
    }
    let secrets = [(keyringPath, "the key ring"), (epochKeyPath, "the epoch key"), (kms.pinPath, "the PIN of the HSM")]
    for case (let path?, let what) in secrets {
      if let mode = Keyring.openMode(of: path) {
        add("\(path) has the mode \(String(mode, radix: 8)): \(what) is for its owner only: chmod 600 \(path)")
      }
      if let folder = Keyring.openFolder(of: path) {
        add(
          "\(folder), where \(path) is, can be written by everybody, who could exchange \(what): chmod o-w \(folder)")
      }
    }
    if let fault = certificateFault { add(fault) }
    let institutions = (try? tenants().all.map(\.id)) ?? []
    for check in [
      { _ = try institutions.isEmpty ? nil : self[CaseworkSettings.self].policy(institutions: institutions) },
      { _ = try smsRules() }, { _ = try messageTexts() }, { _ = try screeningPolicy() }, { _ = try smtp?.settings() },
      { _ = try openIDRegistrations() }, { _ = try blobStore(world: .live) }, { _ = try auditAnchor(world: .live) },
    ] as [() throws -> Void] {
      do { try check() } catch { add("\(error)") }
    }
    guard !isSandbox else {
      for (name, host) in [("host", host), ("operations.host", operations.host)]
      where !isPublicSandbox && !host.isLoopbackHost {
        add("\(name) \(host) is not of this machine, and without a tenants file this is a sandbox: set sandbox.public")
      }
      return faults
    }
    if clockSkew != 0 { add("clock.skew is for tests of faults: leave it out") }
    if sms == nil {
      add("sms.url is missing: codes reach no phone. Name the address of the gateway for text messages by it", .sms)
    }
    for tenant in (try? tenants())?.all ?? [] where !waived.contains(.sms) && tenant.servedPrefixes?.isEmpty != false {
      add("the tenant \(tenant.id) serves no telephone number: name its served_prefixes, or sms.prefixes")
    }
    for tenant in (try? tenants())?.all ?? [] where tenant.acceptsSpecimens {
      add(
        "the tenant \(tenant.id) takes specimens, which anybody can draw, for documents: leave accepts_specimens out",
        .specimens)
    }
    for tenant in (try? tenants())?.all ?? [] where tenant.callsOwnMachine {
      add(
        "call_url of the tenant \(tenant.id) is an address of this machine, which no client elsewhere reaches: name "
          + "the one that customers open", .calls)
    }
    if webhooks.allowsPrivate {
      add(
        "webhooks.allowPrivate lets who names an endpoint have this server call machines of its own network, without "
          + "TLS: leave it out, and name the networks of receivers by webhooks.networks", .privateWebhooks)
    }
    for system in waived.contains(.sms) ? [] : systemsWithoutPrefixes {
      add("tenants of \(system) can send no text: name sms.prefixes, or the prefixes of each of them in sms.tenants")
    }
    if smtp == nil { add("smtp.host is missing: no mail is sent. Name the mail server by it", .mail) }
    if let smtp, smtp.security == "off", !smtp.host.isLoopbackHost {
      add(
        "smtp.security is off: codes and links cross the network to \(smtp.host) in clear. Leave it out, or set it to "
          + "starttls or implicit", .clearMail)
    }
    for (waiver, url) in [
      (.consoleURL, console.publicURL), (.finapticURL, self[FinapticSettings.self].publicURL),
      (.oneAssistURL, self[OneAssistSettings.self].publicURL), (.saltEdgeURL, self[SaltEdgeSettings.self].publicURL),
    ] as [(StartFault.Waiver, String?)] {
      let name = waiver.rawValue
      // Without an address of its own the console is reached where the other parts are.
      guard let url else {
        if waiver != .consoleURL {
          add(
            "\(name) is missing: clients elsewhere would be sent to their own machine. Name the address by which they "
              + "reach this server, as https://app.bank.example", waiver)
        }
        continue
      }
      let address = WebAddress(url)
      if address?.host.isOwnMachine == true {
        add(
          "\(name) is an address of this machine, which no client elsewhere reaches: name the one by which they reach "
            + "this server", waiver)
      } else if address?.isSecure != true {
        add("\(name) is without TLS: it has to begin with https://", waiver)
      }
    }
    if let fault = screeningFault { add(fault, .screening) }
    if let fault = modelsFault { add(fault, .faces) }
    switch EvidenceReader.latinModel(evidence) {
    case .usable: break
    case .missing:
      add(
        "Tesseract's model of Latin script is missing: names are read without their diacritics. Install the package "
          + "tesseract-ocr-script-latn", .documents)
    case .unusable(let reason):
      add(
        "Tesseract's model of Latin script is not of the package tesseract-ocr-script-latn: names are read without "
          + "their diacritics (\(reason))", .documents)
    }
    if proxyHeader == nil, tls == nil {
      add(
        "trustProxy is off and tls.certificate is missing: this server ends no TLS, and behind a proxy all callers "
          + "share its address. Set trustProxy and proxyHeader where a proxy ends TLS, or else tls.certificate and "
          + "tls.key", .proxy)
    }
    if !host.isLoopbackHost, tls == nil {
      add(
        "host \(host) is not of this machine: what comes from the proxy crosses a network without TLS. Set it to "
          + "127.0.0.1 where the proxy is on this machine, or else tls.certificate and tls.key", .tls)
    }
    return faults
  }

  /// What is in the store is not looked at here: where lists are kept there, each search tells what it lacks.
  private var screeningFault: String? {
    if screeningStored { return nil }
    guard let screeningFolder else {
      return "no list is searched: set screening.stored, and load lists by `gatehouse lists update`, or name a folder "
        + "of lists by screening.folder"
    }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: screeningFolder)) ?? []
    let files = names.filter { ScreeningFolder.isList($0) }
    // Of a file that is broken the store may have the former version; without a store nothing can be searched.
    if let emptyList, !mayHaveStore {
      return "screening.folder holds an empty list: fetch \(emptyList) again, or take it away"
    }
    let lists = files.map { ($0 as NSString).deletingPathExtension.uppercased() }
    guard !lists.isEmpty else {
      return "screening.folder \(screeningFolder) holds no list that this user can read: put files there, named by "
        + "their codes, as un.xml"
    }
    let missing = screeningRequired.subtracting(lists).sorted()
    guard !missing.isEmpty else { return nil }
    return "screening.folder lacks required lists: \(missing.joined(separator: ", ")). Put them there, or take their "
      + "codes out of screening.required"
  }

  /// A file of the folder of lists without a byte, as a download that failed leaves it. Reading whole lists takes too
  /// long for each look at readiness.
  var emptyList: String? {
    guard let screeningFolder else { return nil }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: screeningFolder)) ?? []
    return names.filter { ScreeningFolder.isList($0) }.sorted().first { isEmptyFile("\(screeningFolder)/\($0)") }
  }

  private var mayHaveStore: Bool { databaseURL != nil || FileManager.default.fileExists(atPath: databasePath) }

  private var modelsFault: String? {
    guard let modelsFolder else {
      return "models is missing: faces are not compared. Name the folder of the models of detection, recognition and "
        + "liveness by it"
    }
    guard let models = try? ModelFolder(modelsFolder) else {
      return "the folder of models \(modelsFolder) cannot be read: it is not there, or not this user's to read"
    }
    let missing = [
      ("face_detection_yunet", models.detector), ("face_recognition_sface", models.recogniser),
      ("liveness", models.liveness),
    ].filter { $0.1 == nil }.map { "\($0.0)*.onnx" }
    guard missing.isEmpty else {
      return "the folder of models \(modelsFolder) lacks \(missing.joined(separator: ", ")): put them there"
    }
    let found = [models.detector, models.recogniser, models.liveness].compactMap { $0 }
    return found.first(where: isEmptyFile).map { "the model \($0) is empty: fetch it again" }
  }

  /// Why the KMS does not open the key ring or the epoch key. It is asked with the PIN, of which an HSM counts the
  /// wrong ones: a start that this keeps from going on asks no second time, and looks at readiness do not ask at all.
  var kmsFault: String? {
    do {
      guard let kms = try keyManagement() else { return nil }
      // What is wrong with a file itself is told by name already.
      func isToOpen(_ path: String, _ fault: (any Error)?) -> Bool {
        fault == nil && FileManager.default.fileExists(atPath: path) && Keyring.openMode(of: path) == nil
      }
      if isToOpen(keyringPath, ringFault) { _ = try Keyring(at: keyringPath, kms: kms) }
      if isToOpen(epochKeyPath, epochKeyFault) { _ = try EpochKeyFile(epochKeyPath, kms: kms).read() }
      return nil
    } catch { return "\(error)" }
  }

  /// The models that a start takes, also where `faces` is waived. Whole files are read for them, so that looks at
  /// readiness do not ask.
  /// - Returns: nil without a folder, and for one that lacks a model, which the list tells by name.
  /// - Throws: `ModelProblem` for one that a start would not load.
  private func loadModels() throws -> LoadedModels? {
    guard let modelsFolder, isSandbox || waived.contains(.faces) || modelsFault == nil else { return nil }
    return try LoadedModels(ModelFolder(modelsFolder), thresholds: faceThresholds)
  }

  private func isEmptyFile(_ path: String) -> Bool {
    let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    let size = (try? FileManager.default.attributesOfItem(atPath: file))?[.size] as? NSNumber
    return size?.intValue == 0
  }
}
