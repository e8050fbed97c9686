// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import GatehouseApp

/// Asks a person for what the setup has to know.
struct SetupQuestions {
  /// Shows a question and reads a line, which no terminal shows when it is a secret; nil at the end of the input.
  let answer: (_ question: String, _ isSecret: Bool) -> String?

  /// - Throws: `ValidationError` where no person can answer.
  static func atTerminal() throws -> SetupPlan {
    guard isatty(STDIN_FILENO) == 1 else {
      throw ValidationError("there is no terminal to ask at: name a file by --answers")
    }
    let plan = try atStandardInput.plan()
    try plan.check()
    return plan
  }

  /// Asks for where the test messages go whose gateways the plan names.
  static func testRecipients(of plan: SetupPlan) throws -> (mail: String?, text: String?) {
    let ask = atStandardInput
    return (
      plan.mail == nil ? nil : try ask.may("Address for a test mail (empty: none is sent)"),
      plan.texts == nil ? nil : try ask.may("Number for a test text, as in +96512345678 (empty: none is sent)")
    )
  }

  private static var atStandardInput: SetupQuestions {
    SetupQuestions { question, isSecret in
      if isSecret { return SecretInput.read("\(question), not shown") }
      StandardError.write("\(question): ")
      return readLine()
    }
  }

  func plan() throws -> SetupPlan {
    var plan = SetupPlan(
      institution: .init(
        name: try must("Name of the institution, as customers know it"),
        timeZone: try must("Its time zone, as in Europe/Vienna"),
        servedPrefixes: list(try must("Dialling prefixes that codes are sent to, as in 43,49"))),
      host: try must("Host by which apps reach the server, as in app.bank.example"))
    plan.consoleHost = try may("Host by which staff reach the console (empty: the same)")
    plan.proxy = try proxy()
    let isAlone = plan.proxy == SetupPlan.Proxy.none
    if isAlone, let file = try may("File of the server's certificate in PEM (empty: your proxy's)") {
      plan.tls = .init(certificate: file, key: try must("File of its private key in PEM"))
    }
    plan.database = try may(
      "PostgreSQL, as postgres://user:password@host/name (empty: the embedded database)", isSecret: true)
    if let url = try may("Bucket for pictures, as s3://name?region=eu-central-1 (empty: a folder of this machine)") {
      plan.bucket = .init(
        url: url, accessKeyId: try must("Access key id"),
        secretAccessKey: try must("Secret access key", isSecret: true))
    }
    var waive: [String] = []
    if let host = try may("SMTP server (empty: no mail is sent)") {
      let user = try may("Its user (empty: none)")
      plan.mail = .init(
        host: host, user: user, password: try user.map { _ in try must("Its password", isSecret: true) },
        sender: .init(name: plan.institution.name, address: try must("Sender's address")))
    } else {
      waive.append("mail")
    }
    if let url = try may("SMS gateway, as https://sms.example/send?to={to}&text={text} (empty: no texts)") {
      plan.texts = .init(url: url, authorization: try may("Its header Authorization (empty: none)", isSecret: true))
    } else {
      waive.append("sms")
    }
    plan.lists = try may("Folder of list files for screening (empty: lists are kept in the store)")
    plan.models = try may("Folder of face models (empty: faces are not compared)")
    if plan.models == nil { waive.append("faces") }
    plan.administrator = .init(
      name: try must("Full name of the first administrator"), email: try must("Their e-mail address"),
      gender: try must("M or F"))
    plan.waive = waive.isEmpty ? nil : waive
    return plan
  }

  private func proxy() throws -> SetupPlan.Proxy {
    while let text = try may("Proxy in front: nginx, caddy or none (empty: nginx)") {
      if let proxy = SetupPlan.Proxy(rawValue: text.lowercased()) { return proxy }
    }
    return .nginx
  }

  private func must(_ question: String, isSecret: Bool = false) throws -> String {
    while true {
      if let text = try may(question, isSecret: isSecret) { return text }
    }
  }

  private func may(_ question: String, isSecret: Bool = false) throws -> String? {
    guard let line = answer(question, isSecret) else { throw ValidationError("the answers ended before the questions") }
    let text = line.trimmingCharacters(in: .whitespaces)
    return text.isEmpty ? nil : text
  }

  private func list(_ text: String) -> [String] {
    text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
  }
}
